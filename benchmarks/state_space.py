"""Speed of `LinearGaussianSSM` beside pykalman, and how its time grows.

pykalman's EM takes one series, so over many series it can only be looped (and then fits a model
to each). Ratios are of median times, both sides run in turn in this process, so a machine's
speed cancels. dynamax, which batches over series too, needs JAX and is not compared. Run it
with one or two idle cores:

    python benchmarks/state_space.py
"""

import argparse
import warnings

import numpy as np
from pykalman import KalmanFilter
from sklearn.exceptions import ConvergenceWarning
from timing import median_times

from ofer import LinearGaussianSSM

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
    peers *= factor
    print(f"{name:58} {mine:9.4f} s {peers:9.3f} s  ratio {peers / mine:8.1f}")


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
    holes = many.copy()
    holes[np.random.default_rng(1).uniform(size=many.shape) < 0.1] = np.nan
    complete, missing = median_times(repetitions, lambda: fit_ours(many), lambda: fit_ours(holes))
    print(f"{'EM, 1000 x 10 with a tenth missing, against complete':58} {missing / complete:.1f}")

    print("\ntime of EM grows as a power of")
    sizes = np.array([1000, 4000, 16000, 64000])
    data = make_series(sizes[-1], 10)
    fits = [lambda n=n: fit_ours(data[:n]) for n in sizes]
    print(f"  the number of series ({sizes[0]} to {sizes[-1]}): {exponent(sizes, fits, 3):.2f}")
    sizes = np.array([50, 200, 800, 3200])
    data = make_series(10, sizes[-1])
    fits = [lambda n=n: fit_ours(data[:, :n]) for n in sizes]
    print(f"  the number of steps ({sizes[0]} to {sizes[-1]}): {exponent(sizes, fits, 3):.2f}")


if __name__ == "__main__":
    main()
