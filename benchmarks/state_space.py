"""Speed of `LinearGaussianSSM` beside pykalman and dynamax, and how its time grows.

Ratios are of median times, both sides run in turn in this process, so a machine's speed cancels.
pykalman's EM takes one series, so over many series it can only be looped (and then fits a model
to each). dynamax takes many series, compiles `fit_em` anew at every call, and is compared where
it can be imported. Run it with one or two idle cores:

    python benchmarks/state_space.py
"""

import argparse
import time
import warnings

import numpy as np
from pykalman import KalmanFilter
from sklearn.exceptions import ConvergenceWarning
from timing import median_times

from ofer import LinearGaussianSSM

try:
    import jax
    from dynamax import linear_gaussian_ssm as dynamax
except ImportError:
    dynamax = None

N_STATES, N_OBSERVED, N_ITERATIONS = 2, 2, 10
EM_VARS = [
    "transition_matrices",
    "transition_covariance",
    "observation_matrices",
    "observation_covariance",
    "initial_state_mean",
    "initial_state_covariance",
]


def make_series(n_series, n_steps):
    """Noisy rotations."""
    rng = np.random.default_rng(0)
    c, s = 0.97 * np.cos(0.5), 0.97 * np.sin(0.5)
    states = rng.normal(size=(n_series, n_steps, N_STATES))
    for t in range(1, n_steps):
        states[:, t] = states[:, t - 1] @ np.array([[c, s], [-s, c]]) + 0.3 * states[:, t]
    return states + 0.5 * rng.normal(size=states.shape)


def fit_ours(Z):
    """Ten EM iterations over all series."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the number of iterations is fixed
        return LinearGaussianSSM(N_STATES, max_iter=N_ITERATIONS, tol=0).fit(Z)


def fit_theirs(Z):
    """Ten EM iterations for each series."""
    for series in Z:
        model = KalmanFilter(n_dim_state=N_STATES, n_dim_obs=N_OBSERVED, em_vars=EM_VARS)
        model.em(series, n_iter=N_ITERATIONS)


def compare(name, ours, theirs, repetitions, factor=1):
    """Print both times and their ratio; the peer did one part in `factor` of the work."""
    mine, peers = median_times(repetitions, ours, theirs)
    report(name, mine, peers * factor)


def report(name, mine, peers):
    """Print both times and their ratio."""
    print(f"{name:58} {mine:9.4f} s {peers:9.4f} s  ratio {peers / mine:8.1f}")


def compare_with_dynamax(name, Z, repetitions):
    """Ten EM iterations over all series, as its users call it and compiled beforehand."""
    jax.config.update("jax_enable_x64", True)  # as here
    peer, data = dynamax.LinearGaussianSSM(N_STATES, N_OBSERVED), jax.numpy.asarray(Z)
    start, properties = peer.initialize(jax.random.PRNGKey(0))

    def fit(parameters):
        return peer.fit_em(parameters, properties, data, num_iters=N_ITERATIONS, verbose=False)

    compiled = jax.jit(fit)
    began = time.perf_counter()
    values = jax.block_until_ready(fit(start))[1]
    first = time.perf_counter() - began
    mine, later, warm = median_times(
        repetitions,
        lambda: fit_ours(Z),
        lambda: jax.block_until_ready(fit(start)),
        lambda: jax.block_until_ready(compiled(start)),
    )
    report(f"{name}, first call", mine, first)
    report(f"{name}, later calls", mine, later)
    report(f"{name}, inside jit, compiled before", mine, warm)
    if not np.isfinite(values).all():
        print("    (dynamax's likelihoods became NaN, its times are those of a failed fit)")


def exponent(sizes, functions, repetitions):
    """Slope of log time on log size."""
    times = median_times(repetitions, *functions)
    return np.polyfit(np.log(sizes), np.log(times), 1)[0]


def main():
    """Run all comparisons."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=5)
    repetitions = parser.parse_args().repetitions

    print(f"{'against pykalman':58} {'ofer':>11} {'peer':>11}")
    many, share = make_series(1000, 10), 50
    compare(
        f"EM, 1000 series x 10 steps (peer: {1000 // share} series, times {share})",
        lambda: fit_ours(many),
        lambda: fit_theirs(many[::share]),
        repetitions,
        share,
    )
    one = make_series(1, 1000)
    compare("EM, one series x 1000 steps", lambda: fit_ours(one), lambda: fit_theirs(one), 3)
    model = fit_ours(one)
    peer = KalmanFilter(
        model.transition_matrix_,
        model.observation_matrix_,
        model.transition_covariance_,
        model.observation_covariance_,
        initial_state_mean=model.initial_mean_,
        initial_state_covariance=model.initial_covariance_,
    )
    compare(
        "smooth, one series x 1000 steps",
        lambda: model.smooth(one),
        lambda: peer.smooth(one[0]),
        repetitions,
    )

    print("\nagainst dynamax")
    if dynamax is None:
        print("  not installed here (pip install dynamax)")
    else:
        compare_with_dynamax("EM, 1000 series x 10 steps", many, repetitions)
        compare_with_dynamax("EM, one series x 1000 steps", one, repetitions)

    print("\ntime of EM with a tenth of the entries missing, against complete series")
    for name, complete in (("1000 series x 10 steps", many), ("one series x 1000 steps", one)):
        holes = complete.copy()
        holes[np.random.default_rng(1).uniform(size=holes.shape) < 0.1] = np.nan
        functions = [lambda Z=Z: fit_ours(Z) for Z in (complete, holes)]
        plain, missing = median_times(repetitions, *functions)
        print(f"  {name}: {missing / plain:.1f}")

    print("\ntime of EM grows as a power of")
    sizes = np.array([1000, 4000, 16000, 64000])
    data = make_series(sizes[-1], 10)
    fits = [lambda n=n: fit_ours(data[:n]) for n in sizes]
    print(f"  the number of series ({sizes[0]} to {sizes[-1]}): {exponent(sizes, fits, 3):.2f}")
    data = make_series(10, sizes[-1])
    fits = [lambda n=n: fit_ours(data[:, :n]) for n in sizes]
    print(f"  the number of steps ({sizes[0]} to {sizes[-1]}): {exponent(sizes, fits, 3):.2f}")


if __name__ == "__main__":
    main()
