"""Speed of `LinearGaussianSSM` beside other packages, and how its time grows.

Ratios are of median times, both sides run in turn in this process, so a machine's speed cancels.
pykalman's EM takes one series, so over many series it can only be looped (and then fits a model
to each). dynamax takes many series and compiles `fit_em` anew at every call. simdkalman takes many
series, too, and its EM leaves the matrices of the model as they are, so smoothing is compared.
ssfortran maximises the likelihood by gradients and holds one series, so smoothing is compared, too.
They are where they can be imported. Run it with one or two idle cores:

    python benchmarks/state_space.py
"""

import time
import warnings

import numpy as np
from pykalman import KalmanFilter
from record import Missing, comparison, growth, run
from sklearn.exceptions import ConvergenceWarning
from timing import growth_exponent, median_times

from ofer import LinearGaussianSSM

try:
    import jax
    from dynamax import linear_gaussian_ssm as dynamax
except ImportError:
    dynamax = None
try:
    import ssfortran
except ImportError:
    ssfortran = None
try:
    import simdkalman
except ImportError:
    simdkalman = None

N_STATES, N_OBSERVED, N_ITERATIONS = 2, 2, 10
SIZES = (1000, 4000, 16000, 64000)
EM = f"`LinearGaussianSSM.fit`, {N_ITERATIONS} iterations, {N_STATES} states"
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


def size(Z):
    """How many series there are and how long they are, in words."""
    return f"{'one' if len(Z) == 1 else len(Z)} series of {Z.shape[1]} steps"


def fit_ours(Z):
    """Ten EM iterations over all series, from a given start, as those of the peers."""
    eye = np.eye(N_STATES)
    start = {
        "transition_matrix": 0.9 * eye,
        "transition_covariance": 0.1 * eye,
        "observation_matrix": eye,
        "observation_covariance": np.eye(N_OBSERVED),
        "initial_mean": np.zeros(N_STATES),
        "initial_covariance": eye,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the number of iterations is fixed
        return LinearGaussianSSM(N_STATES, start=start, max_iter=N_ITERATIONS, tol=0).fit(Z)


def fit_theirs(Z):
    """Ten EM iterations for each series."""
    for series in Z:
        model = KalmanFilter(n_dim_state=N_STATES, n_dim_obs=N_OBSERVED, em_vars=EM_VARS)
        model.em(series, n_iter=N_ITERATIONS)


def compare_with_pykalman(many, single, repetitions):
    """Yield ten EM iterations over many series and over a long one, and a smoothing."""
    against, share = "pykalman's `em`, looped over series", 50
    few = many[::share]
    mine, theirs = median_times(repetitions, lambda: fit_ours(many), lambda: fit_theirs(few))
    more = {"note": f"the peer: {len(few)} series, scaled up", "headline": True}
    yield comparison(f"{EM}, {size(many)}", against, mine, theirs * share, repetitions, **more)
    mine, theirs = median_times(repetitions, lambda: fit_ours(single), lambda: fit_theirs(single))
    yield comparison(f"{EM}, {size(single)}", against, mine, theirs, repetitions)
    model = fit_ours(single)
    peer = KalmanFilter(
        model.transition_matrix_,
        model.observation_matrix_,
        model.transition_covariance_,
        model.observation_covariance_,
        initial_state_mean=model.initial_mean_,
        initial_state_covariance=model.initial_covariance_,
    )
    mine, theirs = median_times(
        repetitions, lambda: model.smooth(single), lambda: peer.smooth(single[0])
    )
    case = f"`LinearGaussianSSM.smooth`, {size(single)}"
    yield comparison(case, "pykalman's `smooth`", mine, theirs, repetitions)


def compare_with_dynamax(Z, repetitions):
    """Yield ten EM iterations over all series, as its users call it and compiled beforehand."""
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
    note = "jax chooses the number of its threads"
    finite = bool(np.isfinite(values).all())
    if not finite:
        note += "; its likelihoods became NaN, its times are those of a failed fit"
    for against, seconds, times in (
        ("dynamax's `fit_em`, first call", first, 1),
        ("dynamax's `fit_em`, which compiles at every call", later, repetitions),
        ("dynamax's `fit_em` in `jax.jit`, compiled before", warm, repetitions),
    ):
        # A failed fit is no peer, and a first call is made once.
        more = {"needs": "dynamax", "note": note}
        yield comparison(f"{EM}, {size(Z)}", against, mine, seconds, times, **more)


def compare_with_simdkalman(Z, repetitions):
    """Row of a smoothing of all series."""
    model = fit_ours(Z)
    peer = simdkalman.KalmanFilter(
        model.transition_matrix_,
        model.transition_covariance_,
        model.observation_matrix_,
        model.observation_covariance_,
    )
    start = {
        "initial_value": model.initial_mean_,
        "initial_covariance": model.initial_covariance_,
    }
    centred = Z - model.observation_offset_

    def theirs():
        return peer.smooth(centred, observations=False, **start).states.mean

    gap = np.abs(theirs() - model.smooth(Z).means).max()
    mine, seconds = median_times(repetitions, lambda: model.smooth(Z), theirs)
    case, note = f"`LinearGaussianSSM.smooth`, {size(Z)}", f"means are {gap:.0e} apart at most"
    more = {"needs": "simdkalman", "note": note}
    return comparison(case, "simdkalman's `smooth`", mine, seconds, repetitions, **more)


def compare_with_ssfortran(Z, repetitions):
    """Row of a smoothing, of one series after the other: the peer holds one."""
    model = fit_ours(Z)

    def theirs():
        means = []
        for series in Z:
            peer = ssfortran.Representation(series, N_STATES)
            peer["design"], peer["obs_cov"] = (
                model.observation_matrix_,
                model.observation_covariance_,
            )
            peer["transition"], peer["state_cov"] = (
                model.transition_matrix_,
                model.transition_covariance_,
            )
            peer["obs_intercept"] = model.observation_offset_
            peer.initialize_known(model.initial_mean_, model.initial_covariance_)
            means.append(peer.smooth().smoothed_state.T)
        return np.stack(means)

    gap = np.abs(theirs() - model.smooth(Z).means).max()
    mine, seconds = median_times(repetitions, lambda: model.smooth(Z), theirs)
    case, note = f"`LinearGaussianSSM.smooth`, {size(Z)}", f"means are {gap:.0e} apart at most"
    more = {"needs": "ssfortran", "note": note}
    return comparison(case, "ssfortran's `smooth`", mine, seconds, repetitions, **more)


def compare_with_holes(complete, repetitions):
    """Row of EM with a tenth of the entries missing, which has more gains to compute."""
    holes = complete.copy()
    holes[np.random.default_rng(1).uniform(size=holes.shape) < 0.1] = np.nan
    mine, theirs = median_times(repetitions, lambda: fit_ours(holes), lambda: fit_ours(complete))
    case = f"{EM}, {size(complete)}, a tenth of the entries missing"
    return comparison(case, "the same with complete series", mine, theirs, repetitions)


def grow(name, parts, repetitions):
    """Row of the exponent of a size in the time of EM."""
    times = median_times(repetitions, *(lambda Z=Z: fit_ours(Z) for Z in parts))
    case = f"{EM}, number of {name} {SIZES[0]} to {SIZES[-1]}"
    return growth(case, growth_exponent(SIZES, times), repetitions)


def measure(repetitions):
    """Yield the rows of all comparisons."""
    many, single = make_series(1000, 10), make_series(1, 1000)
    yield from compare_with_pykalman(many, single, repetitions)
    if dynamax is None:
        yield Missing("dynamax", "not installed here (pip install dynamax)")
    else:
        yield from compare_with_dynamax(many, repetitions)
        yield from compare_with_dynamax(single, repetitions)
    if simdkalman is None:
        yield Missing("simdkalman", "not installed here (pip install simdkalman)")
    else:
        for series in (many, single):
            yield compare_with_simdkalman(series, repetitions)
    if ssfortran is None:
        yield Missing("ssfortran", "not installed here (pip install ssfortran)")
    else:
        for series in (many, single):
            yield compare_with_ssfortran(series, repetitions)
    for complete in (many, single, make_series(1, 10_000)):
        yield compare_with_holes(complete, repetitions)
    data = make_series(SIZES[-1], 10)
    yield grow("series", [data[:n] for n in SIZES], repetitions)
    data = make_series(10, SIZES[-1])
    yield grow("steps", [data[:, :n] for n in SIZES], repetitions)


if __name__ == "__main__":
    run(measure, __doc__, repetitions=3)
