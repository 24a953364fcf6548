"""Speed of `PairwiseMRF` beside hmmlearn and a loop over sequences, and of propagation on graphs.

Ratios are of median times, both sides run in turn in this process, so a machine's speed cancels.
hmmlearn, compared where it can be imported, gives log-likelihoods and posteriors of nodes; ours
gives score vectors, which need those of edges and of the model alone beside them. Graphs are the
molecules of `fetch_mutagenicity`, where present. Run it with one or two idle cores:

    python benchmarks/fisher_kernel.py
"""

import time
import warnings

import numpy as np
from record import Missing, comparison, duration, run
from scipy.special import logsumexp
from sklearn.exceptions import ConvergenceWarning
from timing import median_times

from ofer.companions import FisherKernelLearner, PairwiseMRF, nca_objective
from reproduction.datasets import DataUnavailableError
from reproduction.datasets.graphs.mutagenicity import fetch_mutagenicity

try:
    from hmmlearn.hmm import GaussianHMM
except ImportError:
    GaussianHMM = None

N_SEQUENCES, N_FEATURES, SHARE = 1000, 3, 50


def make_model(n_states):
    """A hidden Markov model, so that hmmlearn knows it too."""
    rng = np.random.default_rng(0)
    start, transition = rng.dirichlet(np.ones(n_states)), rng.dirichlet(np.ones(n_states), n_states)
    means, scales = rng.normal(size=(n_states, N_FEATURES)), rng.uniform(0.5, 1.5, size=n_states)
    model = PairwiseMRF(n_states).set_parameters(
        initial=np.log(start),
        transition=np.log(transition),
        means=means,
        log_scales=np.log(scales),
    )
    if GaussianHMM is None:
        return model, None
    peer = GaussianHMM(n_states, covariance_type="spherical")
    peer.startprob_, peer.transmat_ = start, transition
    peer.means_, peer.covars_ = means, scales**2
    return model, peer


def score_in_a_loop(model, sequences):
    """Posteriors and score of each sequence, step by step and in logarithms."""
    scores = []
    pi, A, variances = model.initial_, model.transition_, np.exp(2 * model.log_scales_)
    for X in sequences:
        residuals = X[:, None] - model.means_
        distances = (residuals**2).sum(axis=2) / variances
        normalizers = N_FEATURES * (model.log_scales_ + 0.5 * np.log(2 * np.pi))
        sides = []
        for logs in (-0.5 * distances - normalizers, np.zeros_like(distances)):
            forward, backward = logs.copy(), np.zeros_like(logs)
            forward[0] += pi
            for t in range(1, len(X)):
                forward[t] += logsumexp(forward[t - 1][:, None] + A, axis=0)
            for t in range(len(X) - 2, -1, -1):
                backward[t] = logsumexp(A + logs[t + 1] + backward[t + 1], axis=1)
            total = logsumexp(forward[-1])
            pairs = np.zeros_like(A)
            for t in range(1, len(X)):
                ahead = A + logs[t] + backward[t]
                pairs += np.exp(forward[t - 1][:, None] + ahead - total)
            sides.append((np.exp(forward + backward - total), pairs))
        (gamma, pairs), (gamma0, pairs0) = sides
        means = np.einsum("tk,tkd->kd", gamma, residuals) / variances[:, None]
        scales = (gamma * (distances - N_FEATURES)).sum(axis=0)
        blocks = [gamma[0] - gamma0[0], (pairs - pairs0).ravel(), means.ravel(), scales]
        scores.append(np.concatenate(blocks))
    return np.array(scores)


def compare_on_chains(n_states, repetitions):
    """Yield rows for score vectors of a thousand sequences of 120 steps on average."""
    rng = np.random.default_rng(1)
    sequences = [rng.normal(size=(T, N_FEATURES)) for T in rng.integers(100, 141, N_SEQUENCES)]
    model, peer = make_model(n_states)
    few = sequences[:: SHARE * n_states]
    case = f"`PairwiseMRF.score_vectors`, {N_SEQUENCES} sequences of 100 to 140 steps, "
    case += f"{n_states} states"
    np.testing.assert_allclose(score_in_a_loop(model, few), model.score_vectors(few), atol=1e-8)
    if peer is not None:
        mine, theirs = median_times(
            repetitions,
            lambda: model.score_vectors(sequences),
            lambda: [peer.score_samples(X) for X in sequences],
        )
        against = "hmmlearn's `score_samples` of each sequence"
        more = {"needs": "hmmlearn"}
        yield comparison(case, against, mine, theirs, repetitions, **more)
        stacked, lengths = np.concatenate(sequences), [len(X) for X in sequences]
        mine, theirs = median_times(
            repetitions,
            lambda: model.score_vectors(sequences),
            lambda: peer.score_samples(stacked, lengths),
        )
        against = "hmmlearn's `score_samples` with lengths"
        yield comparison(case, against, mine, theirs, repetitions, needs="hmmlearn")
    mine, theirs = median_times(
        repetitions, lambda: model.score_vectors(sequences), lambda: score_in_a_loop(model, few)
    )
    share = N_SEQUENCES / len(few)
    against, note = "a loop over sequences in NumPy", f"the loop: {len(few)} sequences, scaled up"
    more = {"note": note}
    yield comparison(case, against, mine, theirs * share, repetitions, **more)


def compare_on_a_long_chain(repetitions):
    """Yield a row for EM on one long sequence, a new start of both at each run."""
    if GaussianHMM is None:
        return
    X = np.random.default_rng(4).normal(size=(10_000, N_FEATURES)).cumsum(axis=0)

    def fit_ours():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # five iterations are wanted
            PairwiseMRF(5, max_iter=5, tol=0, random_state=0).fit([X])

    peer = GaussianHMM(5, covariance_type="spherical", n_iter=5, tol=0, random_state=0)
    mine, theirs = median_times(repetitions, fit_ours, lambda: peer.fit(X))
    case = f"`PairwiseMRF.fit`, 5 iterations, 5 states, one sequence of {len(X)} steps"
    more = {"needs": "hmmlearn"}
    yield comparison(case, "hmmlearn's `fit`", mine, theirs, repetitions, **more)


def time_learning():
    """Yield times of the objective, and of an iteration of learning, for 1000 objects."""
    rng = np.random.default_rng(2)
    y = np.arange(N_SEQUENCES) % 20
    sequences = [rng.normal(y[i] / 10, 1, size=(120, N_FEATURES)) for i in range(N_SEQUENCES)]
    G, w = rng.normal(size=(N_SEQUENCES, 50)), np.full(50, 0.1)
    (once,) = median_times(5, lambda: nca_objective(G, w, y))
    yield duration("`nca_objective` and both gradients, 1000 objects, 50 parameters", once, 5)
    start = PairwiseMRF(5, init="random", max_iter=0, random_state=0)
    times = []
    for iterations in (1, 11):
        learner = FisherKernelLearner(start, max_iter=iterations, tol=0)
        began = time.perf_counter()
        learner.fit(sequences, y)
        times.append(time.perf_counter() - began)
    step = (times[1] - times[0]) / 10
    yield duration("`FisherKernelLearner`, an iteration, 1000 sequences, 5 states", step, 1)


def time_graphs():
    """Yield times of loopy belief propagation on molecules, with and without what is seen."""
    try:
        graphs = fetch_mutagenicity(download_if_missing=False).graphs
    except DataUnavailableError as error:
        yield Missing("mutagenicity", str(error))
        return
    for strength in (0.2, 0.5):
        rng = np.random.default_rng(3)
        transition = strength * rng.normal(size=(5, 5))
        model = PairwiseMRF(5, emission="multinomial", symmetric=True).set_parameters(
            initial=rng.normal(size=5),
            transition=transition + transition.T,
            logits=rng.normal(size=(5, 14)),
        )
        began = time.perf_counter()
        model.score_vectors(graphs)
        once = time.perf_counter() - began
        posteriors = model.posteriors(graphs)
        case = f"`PairwiseMRF.score_vectors`, {len(graphs)} graphs of molecules, 5 states, "
        case += f"transitions of size {strength}"
        note = (
            f"{posteriors.converged.sum()} converged, after {np.median(posteriors.n_sweeps):.0f} "
            f"sweeps in the median and {posteriors.n_sweeps.max()} at most"
        )
        yield duration(case, once, 1, needs="mutagenicity", note=note)


def measure(repetitions):
    """Yield the rows of all comparisons."""
    if GaussianHMM is None:
        yield Missing("hmmlearn", "not installed here (pip install hmmlearn)")
    for n_states in (5, 10):
        yield from compare_on_chains(n_states, repetitions)
    yield from compare_on_a_long_chain(repetitions)
    with warnings.catch_warnings():
        # iterations are few on purpose, and the notes say where propagation has not converged
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield from time_learning()
        yield from time_graphs()


if __name__ == "__main__":
    run(measure, __doc__, repetitions=3)
