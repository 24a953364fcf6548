"""Steps without information, series without data, and long series among short ones."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import ConvergenceWarning

from ofer import LinearGaussianSSM
from ofer.utils import series as packing
from ofer.utils.series import center, pack_groups, pack_series
from tests.ofer.state_space.joint import MODEL, PARAMETERS, SETS, D, P, Z, conditioned, every_set

FITTED = [name for name in vars(LinearGaussianSSM(2, tol=1e9).fit(Z)) if name[-1] == "_"]


def fit(data, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return LinearGaussianSSM(D, **{"max_iter": 20, "tol": 0} | options).fit(data)


def padded(data, n_steps=300):
    return [np.vstack([z, np.full((n_steps, P), np.nan)]) for z in data]


@every_set
def test_missing_steps_at_the_end_change_no_fit(data):
    plain = fit(data)
    for other in (padded(data), [*padded(data[:3]), *data[3:]], [*data[:3], *padded(data[3:])]):
        longer = fit(other)
        for name in FITTED:
            expected = getattr(plain, name)
            assert_allclose(getattr(longer, name), expected, rtol=1e-9, atol=1e-12, err_msg=name)


@every_set
def test_missing_steps_at_the_end_are_predictions(data):
    longer = padded(data, 4)
    filtered, smoothed = MODEL.filter(longer), MODEL.smooth(longer)
    future = MODEL.forecast(data, 4)
    for i, z in enumerate(longer):
        m, V = conditioned(PARAMETERS, z, len(z))
        steps = np.arange(len(z))
        for result in (filtered, smoothed):
            assert_allclose(result.means[i][-4:], m[-4:], atol=1e-10)
            assert_allclose(result.covariances[i][-4:], V[steps, :, steps][-4:], atol=1e-10)
        assert_allclose(smoothed.means[i], m, atol=1e-10)
        assert_allclose(smoothed.covariances[i], V[steps, :, steps], atol=1e-10)
        lag_one = V[steps[1:], :, steps[:-1]]
        assert_allclose(smoothed.lag_one_covariances[i], lag_one, atol=1e-10)
        assert_allclose(filtered.predicted_means[i][-4:], m[-4:], atol=1e-10)
        assert_allclose(filtered.predicted_covariances[i][-4:], V[steps, :, steps][-4:], atol=1e-10)
        assert_allclose(future.state_means[i], m[-4:], atol=1e-10)
    assert_allclose(smoothed.loglikelihoods, MODEL.loglikelihood(data), rtol=1e-12)
    further = MODEL.forecast(padded(data, 3), 1)
    assert_allclose(further.means[:, 0], future.means[:, 3], atol=1e-10)
    assert_allclose(further.covariances[:, 0], future.covariances[:, 3], atol=1e-10)


def test_arrays_are_padded_alike():
    array = np.array(padded(Z, 5))
    array[::2, 3:] = np.nan
    for method in ("filter", "smooth"):
        ours, listed = getattr(MODEL, method)(array), getattr(MODEL, method)(list(array))
        for one, other in zip(ours, listed, strict=True):
            assert_allclose(one, np.array(other), rtol=1e-12)
    paths = MODEL.sample_posterior(array, 3, 0)
    assert paths.shape == (8, 3, 11, D)
    assert_allclose(paths, np.array(MODEL.sample_posterior(list(array), 3, 0)), rtol=1e-12)


def test_a_growing_model_does_not_mind_steps_without_data():
    """Its predictions overflow, as they should, but no smoothed moment before them."""
    values = {"transition_matrix": [[2.0, 0.3], [0.2, 0.5]], "observation_matrix": [[1.0, 0.0]]}
    values |= {"initial_mean": np.zeros(2), "observation_covariance": [[1.0]]}
    unit = np.eye(2)
    model = LinearGaussianSSM.from_parameters(
        **values, transition_covariance=0.1 * unit, initial_covariance=unit
    )
    seen = np.arange(10.0)[:, None]
    plain = model.smooth([seen])
    longer = model.smooth([np.vstack([seen, np.full((300, 1), np.nan)])])
    assert_array_equal(longer.covariances[0][:10], plain.covariances[0])
    assert_array_equal(longer.means[0][:10], plain.means[0])


def test_a_series_without_data_is_skipped_and_counted():
    nothing = np.full((4, P), np.nan)
    data = [nothing, *SETS["ragged, missing"], nothing]
    plain = fit(data[1:-1])
    assert plain.n_skipped_ == 0
    with pytest.warns(UserWarning, match="fit skips 2 of 10 series, which have no observed entry"):
        model = fit(data)
    assert model.n_skipped_ == 2
    for name in FITTED:
        if name != "n_skipped_":
            assert_array_equal(getattr(model, name), getattr(plain, name))
    with pytest.warns(UserWarning, match="fit skips 5 of 21 series"):
        model = LinearGaussianSSM(D, tol=100).fit_in_batches([data, [nothing], data])
    assert model.n_skipped_ == 5
    assert_array_equal(MODEL.loglikelihood(data)[[0, -1]], 0.0)


def test_a_series_seen_once_is_no_move():
    """It says something about the first state, and nothing about transitions."""
    once = np.full((60, P), np.nan)
    once[0] = Z[0, 0]
    assert_allclose(
        fit([*Z, once]).loglikelihoods_, fit([*Z, once[:2]]).loglikelihoods_, rtol=1e-12
    )


def test_groups_share_out_the_steps():
    rng = np.random.default_rng(0)
    lengths = [2000, *rng.integers(5, 12, size=300), 3000, 40, 2500]
    series = [rng.normal(size=(length, P)) for length in lengths]
    batches = pack_groups(series)
    assert sum(batch.alive.size for batch in batches) < 1.5 * sum(lengths)
    assert_array_equal(np.sort(np.concatenate([b.order for b in batches])), np.arange(304))
    assert_allclose(center(batches), np.concatenate(series).mean(axis=0), atol=1e-12)
    assert len(pack_groups(series[1:300])) == 1


@pytest.mark.parametrize("kind", SETS)
def test_groups_change_nothing(kind, monkeypatch):
    data = [*SETS[kind], *padded(SETS[kind], 2), Z[0, :3], Z[1, :2]]
    together = fit(data), MODEL.smooth(data), MODEL.filter(data), MODEL.sample_posterior(data, 2, 0)
    futures = MODEL.forecast(data, 3)
    monkeypatch.setattr(packing, "STEP", -1e9)  # one batch for each length
    assert len(pack_groups(data)) == len({batch.Z.shape[0] for batch in pack_groups(data)})
    apart = fit(data)
    for name in FITTED:
        expected = getattr(together[0], name)
        assert_allclose(getattr(apart, name), expected, rtol=1e-6, atol=1e-6, err_msg=name)
    for ours, expected in zip(MODEL.forecast(data, 3), futures, strict=True):
        assert_allclose(ours, expected, atol=1e-12)
    results = MODEL.smooth(data), MODEL.filter(data)
    for result, before in zip(results, together[1:3], strict=True):
        for ours, expected in zip(result, before, strict=True):
            for one, other in zip(ours, expected, strict=True):
                assert_allclose(one, other, atol=1e-12)
    for one, other in zip(MODEL.sample_posterior(data, 2, 0), together[3], strict=True):
        assert_allclose(one, other, atol=1e-12)


def test_groups_of_given_states(monkeypatch):
    states = np.random.default_rng(0).normal(size=(8, 6, D))
    lengths = [6, 3, 4, 6, 2, 5, 6, 3]
    series, paths = ([one[:n] for one, n in zip(x, lengths, strict=True)] for x in (Z, states))
    expected = LinearGaussianSSM(D).fit(series, paths)
    monkeypatch.setattr(packing, "STEP", -1e9)
    apart = LinearGaussianSSM(D).fit(series, paths)
    assert_allclose(apart.observation_matrix_, expected.observation_matrix_, rtol=1e-10)
    assert_allclose(apart.loglikelihoods_, expected.loglikelihoods_, rtol=1e-10)


def test_a_packed_batch_ends_at_its_last_observed_entry():
    batch = pack_series(padded(Z, 4))
    assert batch.complete
    assert len(batch.Z) == 6
    assert_array_equal(batch.steps, 10)
