import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.utils import Bunch

from ofer import (
    InputOutputKernelRegressor,
)
from ofer.metrics import rrmse
from reproduction.papers.ofer import text_volatility as module
from reproduction.papers.ofer.text_volatility import (
    predict,
    take_fold,
)

FIVE = range(5)


def make_calls(n=120, *, seed=0):
    """Calls in which a few words tell the level of a persistent series."""
    rng = np.random.default_rng(seed)
    level = rng.normal(size=n)
    rates = np.exp(np.outer(level, np.linspace(-1, 1, 30)))
    return Bunch(
        counts=sparse.csr_matrix(
            rng.poisson(rates) + rng.poisson(0.2, size=rates.shape), dtype=float
        ),
        Y=level[:, None] / 2 - 4 + 0.3 * rng.normal(size=(n, 5)),
        log_vol_before=level / 2 - 4 + 0.3 * rng.normal(size=n),
        company=np.repeat(np.arange(n // 3), 3).astype(str),
    )


CALLS = make_calls()


def test_folds_are_companies_and_test_each_call_once():
    companies = []
    for split in FIVE:
        fold, truth = take_fold(CALLS, split)
        assert len(truth) == fold.words_test.shape[0] == len(fold.K_test) == len(fold.past_test)
        tested = set(CALLS.company) - set(fold.company)
        assert len(truth) == 3 * len(tested)
        companies += sorted(tested)
    assert sorted(companies) == sorted(set(CALLS.company))


def test_words_are_weighed_by_the_training_part():
    fold, _ = take_fold(CALLS, 0)
    train = np.isin(CALLS.company, fold.company)
    names = [f"w{j:02}" for j in range(30)]
    documents = [" ".join(np.repeat(names, row.astype(int))) for row in CALLS.counts.toarray()]
    expected = TfidfVectorizer(sublinear_tf=True, vocabulary=names)
    expected.fit([text for text, kept in zip(documents, train, strict=True) if kept])
    everything = expected.transform(documents).toarray()
    assert_allclose(fold.words.toarray(), everything[train])
    assert_allclose(fold.words_test.toarray(), everything[~train])
    assert_allclose(fold.K, everything[train] @ everything[train].T)
    assert_allclose(fold.K_test, everything[~train] @ everything[train].T)


@pytest.fixture
def few_choices(monkeypatch):
    """Few trees and few EM iterations: the methods, not their choices, are tested."""
    monkeypatch.setitem(module.PARAMETERS, "n_trees", 40)
    monkeypatch.setitem(module.MODEL, "tol", 1e-3)


# Time warping gives an indefinite kernel, which the estimator says.
@pytest.mark.filterwarnings("ignore:output_kernel is not positive semi-definite")
@pytest.mark.parametrize(
    "grams", [module._gaussian_grams, module._warping_grams, module._alignment_grams]
)
def test_iokr_is_the_estimator_chosen_by_refits_on_folds(grams, monkeypatch):
    """Every width and ridge is fitted to every fold."""
    monkeypatch.setitem(module.PARAMETERS, "alphas", [0.03, 1.0, 30.0])
    monkeypatch.setitem(module.PARAMETERS, "width_factors", [0.3, 3.0])
    part = Bunch(**{name: values[:60] for name, values in CALLS.items()})
    fold, _ = take_fold(part, 1)
    matrices = grams(fold.Y, fold.seed)

    def fit_predict(factor, alpha, train, K_test):
        model = InputOutputKernelRegressor(
            [alpha],
            kernel="precomputed",
            output_kernel="precomputed",
            fit_intercept=False,
        ).fit(fold.K[np.ix_(train, train)], matrices[factor][np.ix_(train, train)])
        return fold.Y[train][model.predict(K_test[:, train])]

    def choose(candidates, fold):
        errors = {}
        for train, test in module._inner_folds(fold).split(fold.Y, groups=fold.company):
            for choice, predicted in candidates(train, test):
                assert_array_equal(predicted, fit_predict(*choice, train, fold.K[test]))
                errors.setdefault(choice, []).append(rrmse(fold.Y[test], predicted))
        assert len(errors) == 6
        best.append(min(errors, key=lambda choice: np.mean(errors[choice])))
        assert by_folds(candidates, fold) == best[0]
        return best[0]

    by_folds, best = module._choose_by_folds, []
    monkeypatch.setattr(module, "_choose_by_folds", choose)
    predicted = module._predict_iokr(fold, grams)
    assert_array_equal(predicted, fit_predict(*best[0], np.arange(len(fold.Y)), fold.K_test))


def test_choice_by_folds_is_the_least_mean_error():
    fold, _ = take_fold(CALLS, 0)
    parts = []

    def candidates(train, test):
        parts.append((set(fold.company[train]), set(fold.company[test])))
        yield "far", fold.Y[test] + 1.0
        yield "near", fold.Y[test] + (0.1 if len(parts) > 1 else 1.1)

    assert module._choose_by_folds(candidates, fold) == "near"
    assert len(parts) == 5
    assert all(not train & test for train, test in parts)


def test_predictions_do_not_see_the_test_part(few_choices):
    """The same training part with other test calls: those calls alone are predicted."""
    fold, _ = take_fold(CALLS, 0)
    shorter = fold._replace(
        words_test=fold.words_test[:4], past_test=fold.past_test[:4], K_test=fold.K_test[:4]
    )
    for method in ("past and text", "IOKR-GAK", "OFER-GSSM", "m-RF"):
        whole, _ = predict(method, fold)
        part, _ = predict(method, shorter)
        assert_allclose(part, whole[:4], rtol=1e-9)
