"""Speed of the batched pre-image of the full Fisher vector beside searches one point at a time.

The task is that of Table 3: decode predictions of the score of a 4-component mixture for 200
test samples of D1. The loops are written for one prediction at a time: scipy's L-BFGS-B from the
same starts, with a gradient derived by hand and with scipy's numerical one, and plain gradient
descent from a single start, the best one. All take turns in this process, so a machine's speed
cancels. How the losses compare is noted. Run it with an idle core:

    OMP_NUM_THREADS=1 python benchmarks/pre_images.py
"""

import numpy as np
from record import comparison, run
from scipy.optimize import minimize
from scipy.special import softmax
from timing import median_times

from ofer import (
    FullFisherEmbedding,
    GaussianMixtureEmbedding,
    KernelRidgeCV,
    OutputFisherRegressor,
)
from ofer.kernels import median_bandwidth
from reproduction.datasets.generated.mixtures import make_d1
from reproduction.studies.synthetic.gradient_descent import gradient_descent


def predict_embeddings(n_components, n_train, n_queries):
    """The fitted embedding, and predictions of it on D1."""
    d1 = make_d1(random_state=0)
    train, test = np.split(np.random.default_rng(0).permutation(600), [n_train])
    X = d1.X[train]
    ridge = KernelRidgeCV(kernel="rbf", gamma=1 / (2 * median_bandwidth(X) ** 2))
    embedding = FullFisherEmbedding(GaussianMixtureEmbedding(n_components, random_state=0))
    model = OutputFisherRegressor(embedding, ridge, block_wise=False).fit(X, d1.Y[train])
    return model.embedding_, model.predict_embedding(d1.X[test[:n_queries]])


def make_objective(embedding, h):
    """Loss (9) of one prediction h, and its gradient, for spherical components."""
    mixture = embedding.embedding_.mixture_
    weights, means, precisions = mixture.weights_, mixture.means_, mixture.precisions_
    C, d = means.shape
    P = precisions[:, None, None] * np.eye(d)
    h1, h2, h3 = (h[embedding.blocks_[name]] for name in ("weights", "means", "covariances"))
    h2, h3 = h2.reshape(C, d), h3.reshape(C, d, d)
    log_scale = np.log(weights) + 0.5 * d * np.log(precisions)

    def objective(y):
        difference = y - means
        distances = np.einsum("cd,cd->c", difference, difference)
        gamma = softmax(log_scale - 0.5 * precisions * distances)
        s = precisions[:, None] * difference
        U = 0.5 * (s[:, :, None] * s[:, None, :] - P)
        r1 = gamma / weights - h1
        r2 = gamma[:, None] * s - h2
        r3 = gamma[:, None, None] * U - h3
        loss = r1 @ r1 + np.vdot(r2, r2) + np.vdot(r3, r3)
        along = r1 / weights + np.einsum("cd,cd->c", r2, s) + np.einsum("cde,cde->c", r3, U)
        pull = r2 + 0.5 * np.einsum("cde,ce->cd", r3 + r3.transpose(0, 2, 1), s)
        gradient = (along * gamma) @ (gamma @ s - s) + (gamma * precisions) @ pull
        return loss, 2 * gradient

    return objective


def search(objective, starts, **options):
    """The least of the losses that L-BFGS-B reaches from several starts."""
    return min(minimize(objective, y, method="L-BFGS-B", **options).fun for y in starts)


def compare(n_components, n_train, n_queries, n_looped, repetitions):
    """Yield the times of a point beside those of the loops, and how the losses compare."""
    embedding, H = predict_embeddings(n_components, n_train, n_queries)
    starts = embedding.starts(H)
    few = [
        (make_objective(embedding, h), guesses)
        for h, guesses in zip(H[:n_looped], starts.transpose(1, 0, 2), strict=False)
    ]
    objective, guesses = few[0]
    first = np.square(embedding.transform(guesses) - H[0]).sum(axis=1)
    assert np.allclose([objective(y)[0] for y in guesses], first), "the loss must be the same"

    tight = {"ftol": 1e-12, "gtol": 1e-10, "maxiter": 1000}
    loops = {
        "L-BFGS-B, one point at a time, gradient by hand": lambda: [
            search(f, guesses, jac=True, options=tight) for f, guesses in few
        ],
        "L-BFGS-B, one point at a time, numerical gradient": lambda: [
            search(lambda y, f=f: f(y)[0], guesses, options=tight) for f, guesses in few
        ],
        "gradient descent, one start": lambda: [
            gradient_descent(f, guesses[0]).losses[0] for f, guesses in few
        ],
    }
    ours = embedding.pre_images(H).losses[:n_looped]
    mine, *theirs = median_times(repetitions, lambda: embedding.pre_images(H), *loops.values())
    mine /= n_queries
    case = f"`FullFisherEmbedding`, pre-image of one of {n_queries} points, "
    case += f"{n_components} components, {n_train} training samples, {len(starts)} starts"
    for (name, loop), seconds in zip(loops.items(), theirs, strict=True):
        seconds /= n_looped
        excess = ours / loop() - 1
        note = (
            f"our loss is larger by {max(excess.max(), 0):.0e} at most, smaller by a thousandth or "
            f"more at {np.mean(excess < -1e-3):.0%} of the points"
        )
        yield comparison(case, name, mine, seconds, repetitions, note=note)


def measure(repetitions):
    """Yield the rows of all comparisons."""
    yield from compare(4, 100, 200, 50, repetitions)


if __name__ == "__main__":
    run(measure, __doc__, repetitions=3)
