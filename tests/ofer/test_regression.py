import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestRegressor
from sklearn.frozen import FrozenEstimator
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import Ridge
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ofer import (
    GaussianEmbedding,
    GaussianMixtureEmbedding,
    KernelRidgeCV,
    Memberships,
    OutputFisherRegressor,
    OutputFisherRegressorCV,
)
from ofer.embeddings.covariances import full_precisions
from ofer.utils.estimators import part_of

RNG = np.random.default_rng(0)
LABELS = RNG.integers(0, 3, size=90)
CENTRES = np.array([[0.0, 0.0], [6.0, 1.0], [-1.0, 7.0]])
INPUTS = np.array([[0.0, 1.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, 2.0]])
X_ALL = INPUTS[LABELS] + 0.7 * RNG.normal(size=(90, 3))
Y_ALL = CENTRES[LABELS] + RNG.normal(size=(90, 2)) + X_ALL[:, :2]
X, Y, X_TEST, X_WEAK = X_ALL[:40], Y_ALL[:40], X_ALL[40:60], X_ALL[60:]
TYPES = ["spherical", "diag", "tied", "full"]


def mixture(n_components=3, **params):
    return GaussianMixtureEmbedding(n_components, random_state=0, **params)


def rbf(**params):
    return KernelRidgeCV(kernel="rbf", gamma=0.2, **params)


@pytest.mark.parametrize("covariance_type", TYPES)
def test_identity_one(covariance_type):
    """As printed, OFER is a precision-weighted average of the training outputs."""
    alpha = 0.5
    model = OutputFisherRegressor(
        mixture(covariance_type=covariance_type, scaling="score", decoder="raw"),
        rbf(alphas=[alpha], fit_intercept=False),
        block_wise=False,
    ).fit(X, Y)
    K = rbf_kernel(X, gamma=0.2)
    smoother = np.linalg.solve(
        K + alpha * np.eye(40), rbf_kernel(X_TEST, X, gamma=0.2).T
    ).T  # a_i(x)
    gamma = model.embedding_.predict_proba(Y)
    P = full_precisions(model.embedding_.precisions_, covariance_type, 3, 2)
    precision = np.einsum("nj,jab->nab", gamma, P)
    A = np.einsum("tn,nab->tab", smoother, precision)
    b = np.einsum("tn,nab,nb->ta", smoother, precision, Y)
    expected = np.linalg.solve(A, b[:, :, None])[:, :, 0]
    assert_allclose(model.predict(X_TEST), expected, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("n_components", [1, 3])
def test_identity_one_with_a_tied_covariance_is_self_normalised_krr(n_components):
    model = OutputFisherRegressor(
        mixture(n_components, covariance_type="tied", scaling="score", decoder="raw"),
        rbf(alphas=[0.5], fit_intercept=False),
        block_wise=False,
    ).fit(X, Y)
    plain = KernelRidge(kernel="rbf", gamma=0.2, alpha=0.5).fit(
        X, np.column_stack([Y, np.ones(40)])
    )
    predicted = plain.predict(X_TEST)
    assert_allclose(model.predict(X_TEST), predicted[:, :2] / predicted[:, 2:], rtol=1e-8)


@pytest.mark.parametrize("covariance_type", TYPES)
def test_identity_two(covariance_type):
    """Natural scaling, raw decoder, one ridge and an intercept are centred kernel ridge."""
    model = OutputFisherRegressor(
        mixture(covariance_type=covariance_type, decoder="raw"),
        rbf(alphas=[0.5]),
        block_wise=False,
    ).fit(X, Y)
    assert_allclose(model.predict(X_TEST), rbf(alphas=[0.5]).fit(X, Y).predict(X_TEST), atol=1e-8)


def test_one_gaussian_is_centred_kernel_ridge():
    for covariance_type in ["spherical", "diag", "full"]:
        model = OutputFisherRegressor(
            GaussianEmbedding(covariance_type=covariance_type), rbf(alphas=[0.5])
        ).fit(X, Y)
        expected = rbf(alphas=[0.5]).fit(X, Y).predict(X_TEST)
        assert_allclose(model.predict(X_TEST), expected, atol=1e-8)


def test_prediction_is_the_pre_image():
    model = OutputFisherRegressor(mixture(), rbf()).fit(X, Y)
    H = model.predict_embedding(X_TEST)
    assert_allclose(model.predict(X_TEST), model.embedding_.inverse_transform(H))
    gamma = model.predict_membership(X_TEST)
    assert_allclose(gamma.sum(axis=1), 1.0)
    assert_allclose(gamma, model.embedding_.decode_membership(H[:, :3]))
    assert (
        gamma.argmax(axis=1) == model.embedding_.predict_proba(Y_ALL[40:60]).argmax(1)
    ).mean() > 0.7


@pytest.mark.parametrize("weight", [1.0, 0.25])
def test_weak_labels_solve_the_printed_objective(weight):
    """Equation (14): its membership block by plain weighted kernel ridge."""
    alpha = 0.5
    embedding = mixture(scaling="score").fit(Y)
    gamma = embedding.predict_proba(Y_ALL[60:])
    model = OutputFisherRegressor(
        FrozenEstimator(embedding), rbf(alphas=[alpha], fit_intercept=False)
    ).fit(X, Y, weak=Memberships(X_WEAK, gamma, weight=weight))
    everything = np.vstack([X, X_WEAK])
    targets = np.vstack([embedding.transform(Y)[:, :3], gamma / embedding.weights_])
    weights = np.repeat([1.0, weight], [40, 30])
    K = rbf_kernel(everything, gamma=0.2)
    dual = np.linalg.solve(K + alpha * np.diag(1 / weights), targets)
    H = model.predict_embedding(X_TEST)
    assert_allclose(H[:, :3], rbf_kernel(X_TEST, everything, gamma=0.2) @ dual, atol=1e-8)
    labelled = rbf(alphas=[alpha], fit_intercept=False).fit(X, embedding.transform(Y)[:, 3:])
    assert_allclose(H[:, 3:], labelled.predict(X_TEST), atol=1e-10)


def test_weak_indices_are_one_hot_responsibilities():
    embedding = FrozenEstimator(mixture().fit(Y))
    index = embedding.predict_proba(Y_ALL[60:]).argmax(axis=1)
    one, other = (
        OutputFisherRegressor(embedding, rbf()).fit(X, Y, weak=Memberships(X_WEAK, labels))
        for labels in (index, np.eye(3)[index])
    )
    assert_array_equal(one.predict(X_TEST), other.predict(X_TEST))


def test_precomputed_kernel_equals_named_one_with_weak_labels():
    embedding = FrozenEstimator(mixture().fit(Y))
    gamma = embedding.predict_proba(Y_ALL[60:])
    named = OutputFisherRegressor(embedding, rbf())
    named.fit(X, Y, weak=Memberships(X_WEAK, gamma, weight=0.5))
    everything = np.vstack([X, X_WEAK])
    matrix = OutputFisherRegressor(embedding, KernelRidgeCV(kernel="precomputed"))
    matrix.fit(
        rbf_kernel(X, gamma=0.2),
        Y,
        weak=Memberships(rbf_kernel(X_WEAK, everything, gamma=0.2), gamma, weight=0.5),
    )
    queries = rbf_kernel(X_TEST, everything, gamma=0.2)
    assert_allclose(matrix.predict(queries), named.predict(X_TEST), atol=1e-8)
    with pytest.raises(ValueError, match=r"X must have 70 columns .labelled and weak"):
        matrix.predict(queries[:, :40])


def test_sparse_inputs_with_weak_labels():
    labels = mixture().fit(Y).predict_proba(Y_ALL[60:])
    dense, thin = (OutputFisherRegressor(mixture(), KernelRidgeCV()) for _ in range(2))
    dense.fit(X, Y, weak=Memberships(X_WEAK, labels))
    thin.fit(sparse.csr_matrix(X), Y, weak=Memberships(sparse.csr_matrix(X_WEAK), labels))
    assert_allclose(thin.predict(sparse.csr_matrix(X_TEST)), dense.predict(X_TEST), atol=1e-8)


@pytest.mark.parametrize("block_wise", [True, False])
@pytest.mark.parametrize(
    "regressor",
    [RandomForestRegressor(5, random_state=0), Ridge(), KNeighborsRegressor(3)],
    ids=["forest", "ridge", "neighbours"],
)
def test_any_multi_output_regressor(regressor, block_wise):
    model = OutputFisherRegressor(mixture(), regressor, block_wise=block_wise).fit(X, Y)
    assert model.predict(X_TEST).shape == (20, 2)
    H = model.embedding_.transform(Y)
    for name, fitted in model.regressor_.items():
        columns = slice(None) if name == "all" else model.embedding_.blocks_[name]
        expected = clone(regressor).fit(X, H[:, columns]).predict(X_TEST)
        assert_allclose(fitted.predict(X_TEST), expected)


def test_weak_labels_with_a_regressor_without_weights():
    labels = mixture().fit(Y).predict_proba(Y_ALL[60:])
    model = OutputFisherRegressor(mixture(), KNeighborsRegressor(3))
    model.fit(X, Y, weak=Memberships(X_WEAK, labels))
    assert model.regressor_["membership"].n_samples_fit_ == 70
    assert model.regressor_["mean"].n_samples_fit_ == 40
    with pytest.raises(ValueError, match=r"weak\.weight must be 1 for KNeighborsRegressor"):
        model.fit(X, Y, weak=Memberships(X_WEAK, labels, weight=2.0))


def test_inputs_far_from_all_samples_get_the_mean_embedding():
    """An all-zero kernel row leaves the intercepts."""
    model = OutputFisherRegressor(mixture(), rbf()).fit(X, Y)
    far = model.predict(np.full((1, 3), 1e6))
    intercepts = np.hstack([one.intercept_ for one in model.regressor_.values()])
    assert_allclose(far, model.embedding_.inverse_transform(intercepts[None]))


@pytest.mark.filterwarnings("ignore:alphas should have smaller values")
def test_grid_search_with_a_precomputed_kernel():
    grid = {"embedding__n_components": [1, 2, 3]}
    named = GridSearchCV(OutputFisherRegressor(mixture(), rbf()), grid, cv=4).fit(X, Y)
    matrix = OutputFisherRegressor(mixture(), KernelRidgeCV(kernel="precomputed"))
    found = GridSearchCV(matrix, grid, cv=4).fit(rbf_kernel(X, gamma=0.2), Y)
    assert_allclose(
        found.cv_results_["mean_test_score"], named.cv_results_["mean_test_score"], atol=1e-8
    )


@pytest.mark.parametrize(
    ("labels", "error", "message"),
    [
        (np.r_[3, np.zeros(29)], ValueError, r"indices from 0 to 2; got 3\.0"),
        (np.r_[-1, np.zeros(29, int)], ValueError, "indices from 0 to 2; got -1"),
        (np.r_[0.5, np.zeros(29)], ValueError, r"indices from 0 to 2; got 0\.5"),
        (np.full((30, 3), 0.5), ValueError, r"sum to 1; got .* a sum of 1\.5"),
        (np.tile([1.5, -0.5, 0.0], (30, 1)), ValueError, "not negative"),
        (np.full((30, 2), 0.5), ValueError, r"labels must have 3 columns"),
        (np.zeros(29, int), ValueError, "inconsistent numbers of samples"),
        (np.array(["a"] * 30), TypeError, "labels must be numeric"),
        (np.full(30, np.nan), ValueError, "labels contains NaN"),
    ],
)
def test_bad_weak_labels(labels, error, message):
    with pytest.raises(error, match=message):
        OutputFisherRegressor(mixture(), rbf()).fit(X, Y, weak=Memberships(X_WEAK, labels))


def test_weak_labels_where_they_cannot_be():
    labels = np.zeros(30, int)
    weak = {"weak": Memberships(X_WEAK, labels)}
    with pytest.raises(ValueError, match=r"need an embedding with a membership block.*got PCA"):
        OutputFisherRegressor(PCA(2)).fit(X, Y, **weak)
    with pytest.raises(ValueError, match="need block_wise=True"):
        OutputFisherRegressor(mixture(), block_wise=False).fit(X, Y, **weak)
    with pytest.raises(ValueError, match="weight must be greater than 0; got 0"):
        Memberships(X_WEAK, labels, weight=0)
    with pytest.raises(TypeError, match="weak must be None or of one of the classes Bounds, Cand"):
        OutputFisherRegressor(mixture()).fit(X, Y, weak=(X_WEAK, labels))
    with pytest.raises(ValueError, match=r"weak.X must have 3 columns .the features of X."):
        OutputFisherRegressor(mixture()).fit(X, Y, weak=Memberships(X_WEAK[:, :2], labels))
    broken = X_WEAK.copy()
    broken[0, 0] = np.inf
    with pytest.raises(ValueError, match=r"weak\.X contains infinity"):
        OutputFisherRegressor(mixture()).fit(X, Y, weak=Memberships(broken, labels))


def test_leave_one_out_needs_a_ridge():
    X, Y = np.arange(8.0)[:, None], np.arange(16.0).reshape(8, 2) ** 1.5
    model = OutputFisherRegressor(regressor=RandomForestRegressor(3, random_state=0)).fit(X, Y)
    with pytest.raises(ValueError, match=r"leave-one-out residuals .* got RandomForest"):
        model.loo_predict()


@pytest.mark.parametrize("weak", [False, True])
def test_leave_one_out_of_a_pipeline_that_ends_in_a_ridge(weak):
    """Its other steps have seen all samples, as they do not change with the one left out."""
    scaled = StandardScaler().fit_transform(np.vstack([X, X_WEAK]) if weak else X)
    embedding = FrozenEstimator(mixture().fit(Y))
    labels = embedding.predict_proba(Y_ALL[60:])
    weak_labels = {"weak": Memberships(X_WEAK, labels, weight=1.0)}
    options = weak_labels if weak else {}
    model = OutputFisherRegressor(embedding, make_pipeline(StandardScaler(), rbf()))
    model.fit(X, Y, **options)
    if not weak:
        expected = OutputFisherRegressor(embedding, rbf()).fit(scaled, Y)
        assert_allclose(model.loo_predict(), expected.loo_predict(), atol=1e-10)
        assert_allclose(list(model.loo_errors_.values()), list(expected.loo_errors_.values()))
    else:
        members = np.vstack([embedding.transform(Y)[:, :3], labels])
        expected = rbf().fit(scaled, members).loo_residuals_
        assert_allclose(model.regressor_["membership"][-1].loo_residuals_, expected, atol=1e-10)
    assert model.loo_predict().shape == Y.shape


def test_leave_one_out_errors_of_blocks_have_the_weights_of_their_samples():
    labels = mixture().fit(Y).predict_proba(Y_ALL[60:])
    plain = rbf().set_params(scoring="neg_mean_squared_error")
    model = OutputFisherRegressor(mixture(), plain)
    model.fit(X, Y, weak=Memberships(X_WEAK, labels, weight=0.25))
    for name, one in model.regressor_.items():
        assert model.loo_errors_[name] == pytest.approx(-one.best_score_, rel=1e-10)
    forest = OutputFisherRegressor(mixture(), KNeighborsRegressor(3)).fit(X, Y)
    assert forest.loo_errors_ == {"membership": None, "mean": None}


def test_blocks_share_one_kernel_matrix_in_predictions():
    calls = []

    def kernel(A, B):
        calls.append(len(A))
        return rbf_kernel(A, B)

    model = OutputFisherRegressor(mixture(), KernelRidgeCV(kernel=kernel)).fit(X, Y)
    model.predict(X_TEST)
    assert calls == [40, 20]


def test_outputs_of_too_many_axes():
    with pytest.raises(ValueError, match=r"y must have one to three axes; got shape .40, 2, 1"):
        OutputFisherRegressor().fit(X, Y[:, :, None, None])


def test_the_default_regressor_is_that_of_the_search():
    """No unit of a column of inputs matters."""
    model, units = OutputFisherRegressor(mixture()), [1e-3, 1.0, 1e3]
    expected = model.fit(X, Y).predict(X)
    assert_allclose(clone(model).fit(X * units, Y).predict(X * units), expected, atol=1e-8)
    searched = part_of(OutputFisherRegressorCV(), "regressor")
    assert searched[-1].gamma == "loo"
    searched.set_params(kernelridgecv__gamma="mean")
    assert repr(part_of(model, "regressor")) == repr(searched)
