"""Kernel ridge regression from sums: equal to what is made in memory, however it is cut."""

import pickle
import re
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import Ridge
from sklearn.metrics.pairwise import rbf_kernel

from ofer import KernelRidgeCV, NystroemRidgeCV
from ofer.ridge.input_kernel import InputKernel
from ofer.utils.scoring import target_units

RNG = np.random.default_rng(0)
N, D, P, M = 300, 4, 3, 40
X = RNG.normal(size=(N, D))
Y = np.sin(X @ RNG.normal(size=(D, P))) + 5 + 0.1 * RNG.normal(size=(N, P))
QUERIES = RNG.normal(size=(50, D))
WEIGHTS = RNG.uniform(0.1, 3, size=N)
UNITS = target_units(Y, WEIGHTS)
CENTRES = X[:M]
GAMMA = 0.2
ALPHAS = np.logspace(-3, 2, 8)


def model(**options):
    return NystroemRidgeCV(**{"components": CENTRES, "gamma": GAMMA, "selection": "gcv"} | options)


def in_memory(alpha, weights=None, fit_intercept=True, kernel="rbf"):
    """Predictions of scikit-learn's features and ridge."""
    width = {"gamma": GAMMA} if kernel == "rbf" else {}
    features = Nystroem(kernel, n_components=M, random_state=0, **width).fit(CENTRES)
    ridge = Ridge(alpha, fit_intercept=fit_intercept)
    ridge.fit(features.transform(X), Y, sample_weight=weights)
    return ridge.predict(features.transform(QUERIES))


@pytest.mark.parametrize("alpha", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("weights", [None, WEIGHTS])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_it_is_a_ridge_on_nystroem_features(alpha, weights, fit_intercept):
    ours = model(alphas=[alpha], fit_intercept=fit_intercept).fit(X, Y, weights)
    assert_allclose(ours.predict(QUERIES), in_memory(alpha, weights, fit_intercept), atol=1e-8)


def test_other_kernels_are_those_of_scikit_learn():
    ours = model(alphas=[0.1], kernel="laplacian", gamma=None).fit(X, Y)
    assert_allclose(ours.predict(QUERIES), in_memory(0.1, kernel="laplacian"), atol=1e-8)
    ours = model(alphas=[0.1], kernel=rbf_kernel, kernel_params={"gamma": GAMMA}).fit(X, Y)
    assert_allclose(ours.predict(QUERIES), in_memory(0.1), atol=1e-8)


@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_with_all_samples_as_centres_it_is_kernel_ridge_regression(weights):
    ours = NystroemRidgeCV(gamma=2.0, selection="loo").fit(X, Y, weights)
    exact = KernelRidgeCV(kernel="rbf", gamma=2.0).fit(X, Y, weights)
    assert ours.components_.shape == X.shape
    assert_allclose(ours.alphas_, exact.alphas_)
    assert_allclose(ours.loo_scores_, exact.loo_scores_, rtol=1e-8)
    assert ours.alpha_ == pytest.approx(exact.alpha_)
    assert_allclose(ours.predict(QUERIES), exact.predict(QUERIES), atol=1e-8)
    assert_allclose(ours.loo_residuals_, exact.loo_residuals_, atol=1e-8)
    W = ours.smoother(X, {"y": ours}, weights)(QUERIES)["y"][:, :, 0]
    assert_allclose(W @ Y, ours.predict(QUERIES), atol=1e-8)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_generalised_cross_validation_is_that_of_the_hat_matrix(fit_intercept):
    ours = model(alphas=ALPHAS, fit_intercept=fit_intercept).fit(X, Y, WEIGHTS)
    scores = []
    for alpha in ALPHAS:
        one = model(alphas=[alpha], fit_intercept=fit_intercept).fit(X, np.eye(N), WEIGHTS)
        hat = one.predict(X)
        errors = WEIGHTS @ np.square((Y - hat @ Y) / UNITS) / WEIGHTS.sum()
        spent = fit_intercept + 1.1 * (np.trace(hat) - fit_intercept)
        scores.append(-np.mean(errors) / (1 - spent / N) ** 2)
    assert_allclose(ours.gcv_scores_, scores, rtol=1e-8)
    assert ours.alpha_ == ALPHAS[np.argmax(scores)]


@pytest.mark.filterwarnings("ignore:alphas should have")
def test_one_ridge_is_as_good_as_among_others():
    path = model(alphas=[0.1, 1e9]).fit(X, Y, WEIGHTS)
    one = model(alphas=[0.1]).fit(X, Y, WEIGHTS)
    assert path.alpha_ == one.alpha_ == 0.1
    assert_allclose(one.predict(QUERIES), path.predict(QUERIES), rtol=1e-9)
    assert_allclose(one.gcv_scores_, path.gcv_scores_[:1])


def test_fit_chooses_by_leave_one_out_and_partial_fit_by_what_sums_tell():
    ours, exact, sums = (model(selection=name).fit(X, Y) for name in ("auto", "loo", "gcv"))
    assert_array_equal(ours.loo_scores_, exact.loo_scores_)
    assert_array_equal(ours.loo_residuals_, exact.loo_residuals_)
    assert_allclose(ours.gcv_scores_, sums.gcv_scores_)
    pieces = model(selection="auto").partial_fit(X[:100], Y[:100]).partial_fit(X[100:], Y[100:])
    assert pieces.alpha_ == pytest.approx(sums.alpha_)
    assert pieces.loo_scores_ is pieces.loo_residuals_ is None
    merged = model(selection="auto").fit(X, Y).merge(pieces)
    for more in (merged, ours.partial_fit(X[:5], Y[:5])):
        assert more.loo_scores_ is more.loo_residuals_ is None


def test_with_as_many_centres_as_samples_nothing_is_interpolated():
    """Noise alone: leave-one-out takes the mean; the sums cannot tell, and say so."""
    rng = np.random.default_rng(1)
    noise, labels = rng.normal(size=(120, 4)), rng.poisson(0.1, size=(120, 1)).astype(float)
    asked, truth = rng.normal(size=(500, 4)), np.full((500, 1), 0.1)
    ours = NystroemRidgeCV(random_state=0).fit(noise, labels)
    assert np.square(ours.predict(asked) - truth).mean() < 0.01
    for alphas in (np.logspace(-9, -3, 7), [0.1, 0.4]):  # the last leaves 70 % of the freedom
        steep = NystroemRidgeCV(alphas, gamma=1.0).partial_fit(noise, labels)
        with pytest.warns(UserWarning, match="alphas should have larger values only: .* freedom"):
            steep.predict(asked)


def test_leave_one_out_is_that_of_refits():
    weights = WEIGHTS.copy()
    weights[7] = 0.0
    ours = model(selection="loo").fit(X, Y, weights)
    for i in (0, 100, 299):
        kept = np.arange(N) != i
        refit = model(alphas=[ours.alpha_]).fit(X[kept], Y[kept], weights[kept])
        assert_allclose(ours.loo_residuals_[i], Y[i] - refit.predict(X[[i]])[0], atol=1e-8)
    assert np.isnan(ours.loo_residuals_[7]).all()
    units = target_units(Y, weights)
    missed = np.nan_to_num(ours.loo_residuals_ / units)
    expected = weights @ np.square(missed).mean(axis=1) / weights.sum()
    assert -ours.loo_scores_.max() == pytest.approx(expected)


@given(st.randoms(use_true_random=False), st.integers(1, 12), st.booleans())
def test_order_and_partition_do_not_matter(random, n_blocks, weighted):
    weights = WEIGHTS if weighted else np.ones(N)
    whole = model().fit(X, Y, weights)
    order = list(range(N))
    random.shuffle(order)
    cuts = sorted(random.randrange(N + 1) for _ in range(n_blocks - 1))
    blocks = [block for block in np.split(np.array(order), cuts) if len(block) > 1]
    left_over = np.setdiff1d(order, np.concatenate(blocks))
    parts = [model().partial_fit(X[b], Y[b], weights[b]) for b in blocks]
    while len(parts) > 1:  # some tree
        first, second = (parts.pop(random.randrange(len(parts))) for _ in range(2))
        parts.append(first.merge(second))
    for i in left_over:
        parts[0].partial_fit(X[[i]], Y[[i]], weights[[i]])
    assert parts[0].n_samples_seen_ == N
    assert_allclose(parts[0].predict(QUERIES), whole.predict(QUERIES), rtol=1e-9)
    assert_allclose(parts[0].gcv_scores_, whole.gcv_scores_, rtol=1e-9)


@pytest.mark.parametrize("batch_size", [1, 7, 1000])
def test_the_batch_size_does_not_matter(batch_size):
    found = model(batch_size=batch_size, selection="loo").fit(X, Y)
    whole = model(selection="loo").fit(X, Y)
    assert_allclose(found.predict(QUERIES), whole.predict(QUERIES), rtol=1e-9)
    assert_allclose(found.loo_residuals_, whole.loo_residuals_, atol=1e-9)


def test_the_first_block_gives_the_centres():
    ours = NystroemRidgeCV(n_components=10, random_state=0, gamma="mean")
    ours.partial_fit(X[:100], Y[:100])
    centres, gamma = ours.components_.copy(), ours.gamma_
    ours.partial_fit(X[100:], Y[100:])
    assert_array_equal(ours.components_, centres)
    assert ours.gamma_ == gamma == pytest.approx(0.5 / X[:100].var(axis=0).sum())
    assert (centres[:, None] == X[:100]).all(axis=2).any(axis=1).all()
    again = ours.without_samples()
    assert again.n_samples_seen_ == 0
    again.partial_fit(X, Y)
    assert_allclose(again.predict(QUERIES), ours.predict(QUERIES), rtol=1e-9)


def test_equal_inputs_are_one_centre():
    ours = NystroemRidgeCV([0.1], gamma=GAMMA).fit(np.vstack([X, X]), np.vstack([Y, Y]))
    assert_array_equal(ours.components_, X)


@pytest.mark.parametrize("options", [{}, {"components": None, "gamma": "mean"}])
def test_with_one_ridge_a_weight_is_a_repetition(options):
    counts = np.random.default_rng(0).integers(1, 4, size=N)
    one = model(alphas=[0.1], **options)
    ours = clone(one).fit(X, Y, counts)
    repeated = clone(one).fit(np.repeat(X, counts, axis=0), np.repeat(Y, counts, axis=0))
    assert_allclose(ours.predict(QUERIES), repeated.predict(QUERIES), rtol=1e-8)


def test_far_from_zero_no_digits_are_lost():
    near = model().fit(X, Y).predict(QUERIES)
    far = model(components=CENTRES + 2.0**20).fit(X + 2.0**20, Y + 2.0**20)
    assert_allclose(far.predict(QUERIES + 2.0**20) - 2.0**20, near, atol=1e-6)


def test_centres_that_depend_on_each_other_are_no_more_than_their_span():
    twice = model(alphas=[1e-3], components=np.vstack([CENTRES, CENTRES])).fit(X, Y)
    assert_allclose(twice.predict(QUERIES), model(alphas=[1e-3]).fit(X, Y).predict(QUERIES), 1e-7)
    line = np.linspace(-1, 1, 500)[:, None]  # whose kernel matrix has 10 of 500 directions
    smooth = NystroemRidgeCV([1e-3], gamma=0.1).fit(line, np.sin(line))
    exact = KernelRidgeCV([1e-3], kernel="rbf", gamma=0.1).fit(line, np.sin(line))
    assert_allclose(smooth.predict(line), exact.predict(line), atol=1e-6)
    constant = NystroemRidgeCV(kernel="linear").fit(np.zeros((9, 2)), np.arange(9.0))
    assert_allclose(constant.predict(np.zeros((2, 2))), 4.0)


def test_a_copy_of_what_is_not_solved_yet_can_be_continued():
    ours = model().partial_fit(X[:100], Y[:100])
    restored = pickle.loads(pickle.dumps(ours)).partial_fit(X[100:], Y[100:])
    assert ours.n_samples_seen_ == 100
    assert_allclose(restored.predict(QUERIES), model().fit(X, Y).predict(QUERIES), rtol=1e-9)


def test_errors_name_what_is_wrong():
    ours = model().partial_fit(X, Y)
    message = r"y must have rows of shape (3,), as in the first batch; got (2,)."
    with pytest.raises(ValueError, match=re.escape(message)):
        ours.partial_fit(X, Y[:, :2])
    for other in (model(components=X[1 : M + 1]), model(components=X[:5]), model(gamma=1.0)):
        with pytest.raises(ValueError, match="other must have the same components_ and kernel"):
            ours.merge(other.fit(X, Y))
    with pytest.raises(ValueError, match="other must have 44 columns"):
        ours.merge(model().fit(X, Y[:, :2]))
    with pytest.raises(ValueError, match="components must have 4 columns"):
        model(components=X[:M, :2]).fit(X, Y)
    with pytest.raises(ValueError, match="X has 3 features"):
        ours.partial_fit(X[:, :3], Y)
    with pytest.raises(AttributeError, match="partial_fit") as raised:
        model(selection="loo").partial_fit(X, Y)
    assert "selection must be 'auto' or 'gcv' for partial_fit" in str(raised.value.__cause__)


FIT = """
import re
import numpy as np
from ofer import NystroemRidgeCV
rng = np.random.default_rng(0)
X, Y = rng.normal(size=({n}, 5)), rng.normal(size=({n}, 3))
model = NystroemRidgeCV(n_components=200, random_state=0)
model.fit(X[:2000], Y[:2000]).predict(X[:2000])
def peak():  # of this program alone; getrusage begins with that of the one that started it
    return int(re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1])
before = peak()
model.fit(X, Y)
print((peak() - before) * 1024 / (8 * {n} * 200))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read from /proc")
def test_memory_does_not_grow_with_the_samples():
    code = FIT.format(n=60_000)
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(run.stdout) < 0.05  # of the features


def test_blocks_of_other_centres_are_refused():
    one, other = (NystroemRidgeCV(components=X[rows]).fit(X, Y) for rows in ([0, 1, 2], [3, 4, 5]))
    with pytest.raises(ValueError, match="fitted must have the centres of this regressor"):
        one.predict_blocks(QUERIES, {"a": one, "b": other})


def test_a_model_merged_with_itself_has_seen_all_twice():
    twice = model(alphas=[0.2]).fit(X, Y)
    twice.merge(twice)
    assert twice.n_samples_seen_ == 2 * N
    expected = model(alphas=[0.2]).fit(X, Y, np.full(N, 2.0))
    assert_allclose(twice.predict(QUERIES), expected.predict(QUERIES), rtol=1e-9)


def test_kernels_with_arrays_among_their_parameters_are_compared():
    def weighted(X, Z, widths):
        return rbf_kernel(X * widths, Z * widths, gamma=0.1)

    def make(widths):
        return model(kernel=weighted, kernel_params={"widths": np.asarray(widths)})

    one, other = (make([1.0, 2.0, 1.0, 1.0]).fit(X, Y) for _ in range(2))
    assert one.merge(other).n_samples_seen_ == 2 * N
    with pytest.raises(ValueError, match="same components_ and kernel"):
        one.merge(make(np.ones(D)).fit(X, Y))


@pytest.mark.parametrize(("rule", "expected"), [("mean", 1 / 16), ("median", 1 / 31)])
def test_rules_for_widths_read_a_part_of_a_large_file(tmp_path, rule, expected):
    """Its samples are not converted all at once."""
    rows = np.memmap(tmp_path / "rows", np.float32, "w+", shape=(300_000, 8))
    rows[:] = RNG.normal(size=(1000, 8))[np.arange(len(rows)) % 1000]
    tracemalloc.start()
    gamma = InputKernel("rbf", rule).width(rows)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 0.8 * 8 * rows.size
    assert gamma == pytest.approx(expected, rel=0.1)


@pytest.mark.filterwarnings("ignore:alphas should have")
@pytest.mark.parametrize("alphas", [[0.1], [0.1, 1.0]])
@pytest.mark.parametrize("asked_before", [False, True])
def test_parameters_set_after_a_fit_wait_for_the_next_one(alphas, asked_before):
    def make():
        return model(alphas=alphas, selection="auto")

    expected, begun = make().fit(X, Y), make().partial_fit(X, Y)
    ours, begun_too = make().fit(X, Y), make().partial_fit(X, Y)
    if asked_before:
        begun_too.predict(QUERIES)
    for one in (ours, begun_too):
        one.set_params(fit_intercept=False, alphas=[1e4])
    assert_allclose(ours.predict(QUERIES), expected.predict(QUERIES))
    assert_allclose(ours.gcv_scores_, expected.gcv_scores_)
    W = ours.smoother(X, {"y": ours})(QUERIES)["y"][:, :, 0]
    assert_allclose(W @ Y, ours.predict(QUERIES), atol=1e-8)
    assert_allclose(begun_too.predict(QUERIES), begun.predict(QUERIES))
    assert_allclose(begun_too.alphas_, alphas)
    # The intercept stays with the sums; a further batch takes the new candidates.
    half = make().partial_fit(X[:150], Y[:150]).set_params(fit_intercept=False, alphas=[2.0])
    whole = model(alphas=[2.0]).partial_fit(X, Y)
    half.partial_fit(X[150:], Y[150:])
    assert_allclose(half.predict(QUERIES), whole.predict(QUERIES), rtol=1e-9)
    again, fresh = ours.fit(X, Y), model(alphas=[1e4], fit_intercept=False).fit(X, Y)
    assert_allclose(again.predict(QUERIES), fresh.predict(QUERIES))


def test_candidates_that_change_in_place_do_not_change_what_is_fitted():
    alphas = np.array([0.1])
    ours = model(alphas=alphas).partial_fit(X, Y)
    alphas[:] = 1e4
    assert ours.alpha_ == 0.1


def test_models_are_merged_by_the_kernel_that_they_were_fitted_with():
    one, other = (model().partial_fit(X, Y) for _ in range(2))
    assert one.set_params(kernel="laplacian").merge(other).n_samples_seen_ == 2 * N
    with pytest.raises(ValueError, match="same components_ and kernel"):
        other.merge(model(kernel="laplacian").fit(X, Y).set_params(kernel="rbf"))


@pytest.mark.parametrize("container", [np.array, sparse.csr_array])
def test_centres_of_a_function_are_copied(container):
    def kernel(A, B):
        return rbf_kernel(A, B, gamma=GAMMA)

    centres = container(CENTRES)
    ours = model(kernel=kernel, components=centres).fit(X, Y)
    before = ours.predict(QUERIES)
    (centres.data if sparse.issparse(centres) else centres)[:] = 0.0
    assert_array_equal(ours.predict(QUERIES), before)


@pytest.mark.filterwarnings("ignore:alphas should have")
@pytest.mark.parametrize("method", ["fit", "partial_fit"])
@pytest.mark.parametrize("kernel", ["sigmoid", "additive_chi2"])
def test_a_kernel_that_is_not_semidefinite_is_warned_of(kernel, method):
    message = "the kernel is not positive semi-definite .* or KernelRidgeCV"
    ours = NystroemRidgeCV(kernel=kernel, gamma=0.7, n_components=N)
    with pytest.warns(UserWarning, match=message) as caught:
        getattr(ours, method)(np.abs(X), Y).predict(np.abs(QUERIES))
    assert [one.filename for one in caught if "definite" in str(one.message)] == [__file__]
    if method == "partial_fit":  # further batches say nothing new: warnings are errors here
        ours.partial_fit(np.abs(X), Y)


@pytest.mark.filterwarnings("ignore:alphas should have")
def test_blocks_are_warned_of_the_kernel_once():
    ours = NystroemRidgeCV(kernel="sigmoid", gamma=0.7, selection="gcv")
    with pytest.warns(UserWarning, match="not positive semi-definite"):
        fitted = ours.partial_fit_blocks({}, X, {"y": Y})
    assert ours.partial_fit_blocks(fitted, X, {"y": Y})["y"].n_samples_seen_ == 2 * N


@pytest.mark.parametrize("unit", [1e-9, 1.0, 1e9])
@pytest.mark.parametrize(
    "kernel", ["rbf", "laplacian", "linear", "cosine", "poly", "chi2", lambda A, B: (A @ B.T) ** 2]
)
def test_roundoff_makes_no_kernel_indefinite(kernel, unit):
    inputs = unit * np.abs(np.vstack([X[:100], X[:50]]))
    for rows in (slice(None), slice(3)):  # more samples than features, and fewer
        ours = NystroemRidgeCV(kernel=kernel, components=inputs[rows], selection="gcv")
        ours.partial_fit(inputs, inputs)  # warnings are errors here
