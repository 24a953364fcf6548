import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.utils import Bunch

from ofer import InputOutputKernelRegressor
from ofer.metrics import rrmse
from reproduction.studies.text_volatility import methods
from reproduction.studies.text_volatility.calls import ERRORS, RELATIVE_ERRORS, draw, take_fold
from reproduction.studies.text_volatility.tables.ofer_table_06 import EXPERIMENT

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


# Time warping gives an indefinite kernel, which the estimator says.
@pytest.mark.filterwarnings("ignore:output_kernel is not positive semi-definite")
@pytest.mark.parametrize(
    "grams", [methods.gaussian_grams, methods.warping_grams, methods.alignment_grams]
)
def test_iokr_is_the_estimator_chosen_by_refits_on_folds(grams, monkeypatch):
    """Every width and ridge is fitted to every fold."""
    monkeypatch.setattr(methods, "ALPHAS", [0.03, 1.0, 30.0])
    monkeypatch.setattr(methods, "WIDTH_FACTORS", [0.3, 3.0])
    task = draw(Bunch(**{name: values[:60] for name, values in CALLS.items()}), "calls", 1)
    matrices = grams(task.Y, task.seed)

    def fit_predict(factor, alpha, train, K_test):
        model = InputOutputKernelRegressor(
            [alpha],
            kernel="precomputed",
            output_kernel="precomputed",
            fit_intercept=False,
        ).fit(task.X[np.ix_(train, train)], matrices[factor][np.ix_(train, train)])
        return task.Y[train][model.predict(K_test[:, train])]

    def choose(candidates, task):
        errors = {}
        for train, test in methods._folds(task).split(task.Y, groups=task.weak.company):
            for choice, predicted in candidates(train, test):
                assert_array_equal(predicted, fit_predict(*choice, train, task.X[test]))
                errors.setdefault(choice, []).append(rrmse(task.Y[test], predicted))
        assert len(errors) == 6
        best.append(min(errors, key=lambda choice: np.mean(errors[choice])))
        assert by_folds(candidates, task) == best[0]
        return best[0]

    by_folds, best = methods.choose_by_folds, []
    monkeypatch.setattr(methods, "choose_by_folds", choose)
    predicted = methods.SeriesIokr(grams)(task).outputs
    assert_array_equal(predicted, fit_predict(*best[0], np.arange(len(task.Y)), task.X_test))


def test_choice_by_folds_is_the_least_mean_error():
    task = draw(CALLS, "calls", 0)
    company, parts = task.weak.company, []

    def candidates(train, test):
        parts.append((set(company[train]), set(company[test])))
        yield "far", task.Y[test] + 1.0
        yield "near", task.Y[test] + (0.1 if len(parts) > 1 else 1.1)

    assert methods.choose_by_folds(candidates, task) == "near"
    assert len(parts) == 5
    assert all(not train & test for train, test in parts)


@pytest.mark.parametrize("method", ["past and text", "IOKR-GAK", "OFER-GSSM", "m-RF"])
def test_predictions_do_not_see_the_test_part(method, monkeypatch):
    """The same training part with other test calls: those calls alone are predicted."""
    monkeypatch.setitem(methods.MODEL, "tol", 1e-3)
    task = draw(CALLS, "calls", 0)
    few = {name: getattr(task.weak, name)[:4] for name in ("words_test", "past_test", "K_test")}
    shorter = task._replace(X_test=task.X_test[:4], Y_test=task.Y_test[:4])
    shorter = shorter._replace(weak=task.weak._replace(**few))
    predict = EXPERIMENT.methods[method]
    assert_allclose(predict(shorter).outputs, predict(task).outputs[:4], rtol=1e-9)


def test_errors_are_those_of_a_step_or_of_all():
    task, rng = draw(CALLS, "calls", 0), np.random.default_rng(0)
    truth, outputs = task.Y_test, task.Y_test + rng.normal(size=5)
    found = {score.name: score.function(truth, outputs, task.Y) for score in ERRORS}
    assert found["rrmse step 2"] == rrmse(truth[:, [1]], outputs[:, [1]])
    assert found["rrmse global"] == rrmse(truth, outputs)
    mean = np.tile(task.Y.mean(axis=0), (len(truth), 1))
    for score in RELATIVE_ERRORS:
        assert_allclose(score.function(truth, mean, task.Y), 1.0)
