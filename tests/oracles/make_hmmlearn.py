"""Store values of hmmlearn's hidden Markov models in hmmlearn.json.

hmmlearn is compiled and of no other use here. Where it is installed, run

    python tests/oracles/make_hmmlearn.py
"""

import json
from pathlib import Path

import hmmlearn
import numpy as np
from hmmlearn.hmm import CategoricalHMM, GaussianHMM

START = np.array([0.6, 0.3, 0.1])
TRANSITION = np.array([[0.7, 0.2, 0.1], [0.05, 0.9, 0.05], [0.3, 0.3, 0.4]])


def evaluate(model, sequences):
    """Log-likelihood and posteriors of each sequence."""
    model.startprob_, model.transmat_ = START, TRANSITION
    results = [model.score_samples(sequence) for sequence in sequences]
    return {
        "loglikelihoods": [float(value) for value, _ in results],
        "posteriors": [posterior.tolist() for _, posterior in results],
    }


def main():
    """Draw sequences of several lengths, of points and of symbols."""
    rng = np.random.default_rng(0)
    points = [rng.normal(size=(length, 2)).cumsum(axis=0).round(3) for length in (1, 4, 30, 12)]
    symbols = [rng.integers(4, size=length) for length in (1, 5, 40)]
    means, scales = rng.normal(size=(3, 2)).round(3), np.array([0.5, 1.0, 2.0])
    gaussian = GaussianHMM(3, covariance_type="spherical")
    gaussian.means_, gaussian.covars_ = means, scales**2
    probabilities = rng.dirichlet(np.ones(4), size=3)
    categorical = CategoricalHMM(3, n_features=4)
    categorical.emissionprob_ = probabilities

    values = {
        "hmmlearn": hmmlearn.__version__,
        "start": START.tolist(),
        "transition": TRANSITION.tolist(),
        "points": [sequence.tolist() for sequence in points],
        "means": means.tolist(),
        "scales": scales.tolist(),
        "gaussian": evaluate(gaussian, points),
        "symbols": [sequence.tolist() for sequence in symbols],
        "probabilities": probabilities.tolist(),
        "categorical": evaluate(categorical, [sequence[:, None] for sequence in symbols]),
    }
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in values.items()]
    path = Path(__file__).with_name("hmmlearn.json")
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
