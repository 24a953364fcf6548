"""A state-space model from blocks of series is the model of all series together."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import NotFittedError

from ofer import LinearGaussianSSM, StateSpaceEmbedding
from ofer.state_space._path import Path
from ofer.state_space._starts import possible_starts, race
from ofer.utils.series import center, pack_series

RNG = np.random.default_rng(0)
UNFINISHED = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
NAMES = (
    "transition_matrix_",
    "transition_covariance_",
    "observation_matrix_",
    "observation_covariance_",
    "initial_mean_",
    "initial_covariance_",
    "observation_offset_",
    "loglikelihoods_",
)


def make_series(lengths, holes):
    phases = RNG.uniform(0, 6, size=len(lengths))
    series = [
        np.sin(0.5 * np.arange(T)[:, None] + phase + [0.0, 0.7]) + 5.0
        for T, phase in zip(lengths, phases, strict=True)
    ]
    series = [one + 0.2 * RNG.normal(size=one.shape) for one in series]
    if holes:
        for one in series[::3]:
            one[1, 0] = np.nan
    return series


@UNFINISHED
@pytest.mark.parametrize("fit_offset", [True, False])
@pytest.mark.parametrize("holes", [True, False])
def test_blocks_give_the_em_of_all_series(holes, fit_offset):
    series = make_series([12, 9, 12, 7, 15, 9, 12, 8, 12, 5, 12, 9], holes)
    blocks = [series[:4], series[4:5], series[5:]]
    model = LinearGaussianSSM(2, max_iter=6, tol=0, fit_offset=fit_offset).fit_in_batches(blocks)
    first = pack_series(blocks[0])
    level = center([first]) * fit_offset
    held, blocks = {"a"} if fit_offset else {"a", "b"}, [first.shifted(level)]
    starts = possible_starts(blocks, 2, fit_offset, 1.0)
    best = race([Path(lambda: blocks, *start, 6, 0.0, held) for start in starts])
    whole = pack_series(series).shifted(level)
    expected, history, _ = best.on(lambda: [whole]).end()
    for name, value in zip(["A", "Q", "C", "R", "mu0", "Sigma0"], NAMES[:6], strict=True):
        assert_allclose(getattr(model, value), getattr(expected, name), rtol=1e-9, atol=1e-9)
    assert_allclose(model.observation_offset_, expected.b + level, rtol=1e-9)
    assert_allclose(model.loglikelihoods_, history, rtol=1e-9)
    assert model.n_iter_ == 6
    assert (np.diff(model.loglikelihoods_) > 0).all()


@UNFINISHED
def test_one_block_is_a_fit():
    Z = np.array(make_series([10] * 8, False))
    one = LinearGaussianSSM(2, max_iter=5).fit_in_batches([Z])
    whole = LinearGaussianSSM(2, max_iter=5).fit(Z)
    for name in NAMES:
        assert_allclose(getattr(one, name), getattr(whole, name), rtol=0)
    embedded = StateSpaceEmbedding(2, max_iter=5).fit_in_batches([Z[:4], Z[4:]])
    assert embedded.blocks_ == StateSpaceEmbedding(2, max_iter=5).fit(Z).blocks_
    assert_allclose(embedded.inverse_transform(embedded.transform(Z)), Z)


class Broken(list):
    """Batches of which the last cannot be read, the second time."""

    passes = 0

    def __iter__(self):
        self.passes += 1
        yield from self[:-1]
        if self.passes > 3:
            raise KeyboardInterrupt
        yield self[-1]


@UNFINISHED
def test_a_fit_of_batches_that_fails_leaves_the_model_alone():
    Z = np.array(make_series([10] * 8, False))
    fitted = LinearGaussianSSM(2, max_iter=5).fit(Z)
    before, names = fitted.smooth(Z).means, {*vars(fitted)}
    wrong = [3 * Z[:4], np.full((4, 10, 2), np.inf)]
    for batches, error in ((wrong, ValueError), (Broken([3 * Z[:4], Z[4:]]), KeyboardInterrupt)):
        for model in (fitted, LinearGaussianSSM(2, max_iter=5)):
            with pytest.raises(error):
                model.fit_in_batches(batches)
        with pytest.raises(NotFittedError):
            model.smooth(Z)
    assert_array_equal(fitted.smooth(Z).means, before)
    assert {*vars(fitted)} == names


def test_a_later_block_must_have_the_columns_of_the_first():
    with pytest.raises(ValueError, match=r"Z\[0\] must have 2 columns; got shape"):
        LinearGaussianSSM(1).fit_in_batches([np.ones((3, 5, 2)) * [1, 2], np.ones((3, 5, 1))])
    with pytest.raises(ValueError, match=r"batches must be a list, or what can be gone"):
        LinearGaussianSSM(1).fit_in_batches(iter([np.ones((3, 5, 2))]))
