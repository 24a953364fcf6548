import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone

from ofer import KernelRidgeCV, OutputFisherRegressor, StateSpaceEmbedding

A = np.array([[0.9, 0.2], [-0.2, 0.8]])
C = np.array([[1.0, 0.0], [0.5, -1.0], [0.3, 0.3]])


def simulate(n, T, rng):
    """States (n, T, 2) and observations (n, T, 3) of a stable system."""
    states = np.empty((n, T, 2))
    states[:, 0] = np.array([1.0, -1.0]) + rng.normal(size=(n, 2))
    for t in range(1, T):
        states[:, t] = states[:, t - 1] @ A.T + 0.5 * rng.normal(size=(n, 2))
    return states, states @ C.T + 0.3 * rng.normal(size=(n, T, 3))


STATES, Z = simulate(60, 5, np.random.default_rng(0))
X = np.hstack([Z[:, 0], np.random.default_rng(1).normal(size=(60, 2))])
SCALINGS = ["natural", "score"]


def fitted(states=None, **params):
    return StateSpaceEmbedding(2, max_iter=20, tol=1e-3, **params).fit(Z, states)


@pytest.mark.parametrize("given_states", [True, False])
@pytest.mark.parametrize("scaling", SCALINGS)
def test_recursion_inverts_the_embedding(scaling, given_states):
    states = STATES if given_states else None
    embedding = fitted(states, scaling=scaling)
    H = embedding.transform(Z, states)
    assert H.shape == (60, 5 * (2 + 3))
    assert_allclose(embedding.inverse_transform(H), Z, atol=1e-8)
    expected = STATES if given_states else embedding.model_.smooth(Z).means
    assert_allclose(embedding.decode_states(H), expected, atol=1e-8)


@pytest.mark.parametrize("scaling", SCALINGS)
def test_blocks_are_the_printed_innovations(scaling):
    """Equations (11) and (12), one step of one series at a time."""
    embedding = fitted(STATES, scaling=scaling)
    model = embedding.model_
    H = embedding.transform(Z, STATES)

    def scaled(residual, covariance):
        return np.linalg.solve(covariance, residual) if scaling == "score" else residual

    for i in (0, 17):
        m, z = STATES[i], Z[i]
        rows = [scaled(m[0] - model.initial_mean_, model.initial_covariance_)]
        rows += [
            scaled(
                m[t] - model.transition_matrix_ @ m[t - 1] - model.transition_offset_,
                model.transition_covariance_,
            )
            for t in range(1, 5)
        ]
        rows += [
            scaled(
                z[t] - model.observation_matrix_ @ m[t] - model.observation_offset_,
                model.observation_covariance_,
            )
            for t in range(5)
        ]
        assert_allclose(H[i], np.concatenate(rows), atol=1e-8)
    widths = {name: block.stop - block.start for name, block in embedding.blocks_.items()}
    assert widths == {"initial": 2, "transition": 8, "emission": 15}


def step_log_density(residual, covariance):
    """Log-density of a residual; the matrix may be any, so that its entries are free."""
    quadratic = residual @ np.linalg.solve(covariance, residual)
    return -0.5 * (np.linalg.slogdet(covariance)[1] + quadratic)


def step_score(residual, covariance):
    """Score of one step in its mean and its covariance, by central differences."""
    h, k = 1e-6, len(residual)
    columns = []
    for e in h * np.eye(k):  # a larger mean is a smaller residual
        up, down = (step_log_density(residual - s * e, covariance) for s in (1, -1))
        columns.append((up - down) / (2 * h))
    for e in h * np.eye(k * k):
        move = e.reshape(k, k)
        up, down = (step_log_density(residual, covariance + s * move) for s in (1, -1))
        columns.append((up - down) / (2 * h))
    return np.array(columns)


def test_every_block_of_the_score_by_finite_differences():
    embedding = fitted(STATES)
    model = embedding.model_
    m, z = STATES[3], Z[3]
    steps = [(m[0] - model.initial_mean_, model.initial_covariance_)]
    for t in range(1, 5):
        move = m[t] - model.transition_matrix_ @ m[t - 1] - model.transition_offset_
        steps.append((move, model.transition_covariance_))
    for t in range(5):
        noise = z[t] - model.observation_matrix_ @ m[t] - model.observation_offset_
        steps.append((noise, model.observation_covariance_))
    expected = np.concatenate([step_score(*step) for step in steps])
    score = embedding.fisher_vector(Z[3:4], STATES[3:4])
    assert score.shape == (1, 5 * 6 + 5 * 12)
    assert_allclose(score[0], expected, rtol=1e-4, atol=1e-5)


def test_mean_score_of_the_training_series_is_zero():
    """Maximum likelihood with given states: summed over steps, every block is stationary."""
    embedding = fitted(STATES)
    mean = embedding.fisher_vector(Z, STATES).mean(axis=0)
    transitions = mean[6:30].reshape(4, 6).sum(axis=0)
    emissions = mean[30:].reshape(5, 12).sum(axis=0)
    assert_allclose(mean[:6], 0.0, atol=1e-3)
    assert_allclose(transitions, 0.0, atol=1e-3)  # offsets too, the first of each
    assert_allclose(emissions, 0.0, atol=1e-3)


def test_score_scaling_is_the_mean_part_of_the_score():
    embedding = fitted(STATES, scaling="score")
    H = embedding.transform(Z, STATES)
    scores = embedding.fisher_vector(Z, STATES)
    assert_allclose(H[:, :10], scores[:, :30].reshape(60, 5, 6)[:, :, :2].reshape(60, -1))
    assert_allclose(H[:, 10:], scores[:, 30:].reshape(60, 5, 12)[:, :, :3].reshape(60, -1))


@pytest.mark.parametrize("scaling", SCALINGS)
def test_identity_three(scaling):
    """One ridge and an intercept: centred kernel ridge regression on the series."""
    ridge = KernelRidgeCV([0.3], kernel="rbf", gamma=0.1)
    embedding = StateSpaceEmbedding(2, scaling=scaling, max_iter=20, tol=1e-3)
    model = OutputFisherRegressor(embedding, ridge, block_wise=False).fit(X[:40], Z[:40])
    expected = clone(ridge).fit(X[:40], Z[:40].reshape(40, -1)).predict(X[40:])
    assert_allclose(model.predict(X[40:]), expected.reshape(20, 5, 3), atol=1e-8)


@pytest.mark.parametrize("scaling", SCALINGS)
def test_identity_three_with_observed_states(scaling):
    """The predicted path is centred kernel ridge regression on the path, too."""
    ridge = KernelRidgeCV([0.3], kernel="rbf", gamma=0.1)
    model = OutputFisherRegressor(StateSpaceEmbedding(2, scaling=scaling), ridge, block_wise=False)
    model.fit(X[:40], Z[:40], states=STATES[:40])
    both = clone(ridge).fit(X[:40], np.dstack([STATES, Z])[:40].reshape(40, -1))
    expected = both.predict(X[40:]).reshape(20, 5, 5)
    assert_allclose(model.predict_states(X[40:]), expected[:, :, :2], atol=1e-8)
    assert_allclose(model.predict(X[40:]), expected[:, :, 2:], atol=1e-8)


def test_the_model_of_the_paper_has_no_offsets():
    for states in (None, STATES):
        model = fitted(states, fit_offset=False).model_
        assert not model.transition_offset_.any()
        assert not model.observation_offset_.any()


def test_a_huge_ridge_falls_back_on_the_model():
    """No innovation is predicted: the path is the one that the model expects."""
    ridge = KernelRidgeCV([1e15], kernel="rbf", fit_intercept=False)
    model = OutputFisherRegressor(StateSpaceEmbedding(2), ridge).fit(X, Z, states=STATES)
    system = model.embedding_.model_
    path = [system.initial_mean_]
    for _ in range(4):
        path.append(system.transition_matrix_ @ path[-1] + system.transition_offset_)
    assert_allclose(model.predict_states(X[:3]), np.tile(path, (3, 1, 1)), atol=1e-9)
    expected = np.array(path) @ system.observation_matrix_.T + system.observation_offset_
    assert_allclose(model.predict(X[:3]), np.tile(expected, (3, 1, 1)), atol=1e-9)


def test_columns_are_named_by_step_and_state_or_output():
    names = StateSpaceEmbedding(2, tol=1.0).fit(Z[:, :3]).get_feature_names_out(["u", "v", "w"])
    assert [*names] == [
        *("initial0_m0", "initial0_m1", "transition1_m0", "transition1_m1"),
        *("transition2_m0", "transition2_m1"),
        *(f"emission{t}_{name}" for t in range(3) for name in "uvw"),
    ]


def test_bad_input():
    with pytest.raises(ValueError, match=r"Z must have the shape .* got \(60, 5\)"):
        StateSpaceEmbedding().fit(Z[:, :, 0])
    embedding = fitted()
    with pytest.raises(ValueError, match=r"Z must have 5 steps of 3 dimensions.* \(60, 4, 3\)"):
        embedding.transform(Z[:, :4])
    with pytest.raises(ValueError, match=r"states must have 5 steps of 2 dimensions"):
        embedding.transform(Z, STATES[:, :, :1])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        embedding.transform(Z, STATES[:59])
    with pytest.raises(ValueError, match=r"H must have 25 columns"):
        embedding.inverse_transform(np.ones((2, 24)))
    with pytest.raises(ValueError, match="Z must be at most"):
        embedding.transform(1e200 * Z)
    with pytest.raises(ValueError, match=r"Z must be complete; got NaN in .* LinearGaussianSSM"):
        embedding.transform(np.full_like(Z, np.nan))
    model = OutputFisherRegressor(StateSpaceEmbedding(2))
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        model.fit(X[:10], Z[:9])
    with pytest.raises(ValueError, match="states must have one path per series, 10; got 9"):
        model.fit(X[:10], Z[:10], states=STATES[:9])
    with pytest.raises(ValueError, match=r"states must be None unless .* GaussianMixtureEmb"):
        OutputFisherRegressor().fit(X, Z[:, 0], states=STATES)
    with pytest.raises(ValueError, match="y contains infinity"):
        model.fit(X[:2], np.full((2, 5, 3), np.inf))
