import numpy as np
import pytest
from sklearn.utils import Bunch

from ofer import KernelRidgeCV
from ofer.kernels import median_gamma
from ofer.metrics import arrmse
from reproduction.statistics.splits import repeated_splits
from reproduction.studies.multi_target.benchmark import PARAMETERS, take_split
from reproduction.studies.multi_target.chosen_models import evaluate
from reproduction.studies.multi_target.tables.ofer_cv import EXPERIMENT

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
TOY = {"toy": Bunch(X=X, Y=np.sin(X[:, :2]) + 0.3 * RNG.normal(size=(60, 2)))}


def test_centred_ridge_has_its_width_by_leave_one_out():
    part = take_split(TOY["toy"], 1)
    ridges = [
        KernelRidgeCV(kernel="rbf", gamma=4.0**power * median_gamma(part.X)).fit(part.X, part.Y)
        for power in range(-3, 3)
    ]
    ridge = max(ridges, key=lambda ridge: ridge.best_score_)
    expected = arrmse(part.Y_test, ridge.predict(part.X_test), y_train=part.Y)
    found = evaluate(TOY, "m-KRR centred", "toy", 1)
    assert found == {"arrmse": pytest.approx(expected), "n_components": 1.0}


@pytest.mark.parametrize("method", EXPERIMENT.methods)
def test_choices_see_training_outputs_only(method):
    """An outlier in the test part changes the error, and nothing that is chosen."""
    test = repeated_splits(
        60,
        n_splits=1,
        train_fraction=PARAMETERS["train_fraction"],
        train_sizes=[],
        random_state=PARAMETERS["random_state"],
    )[0][1]
    changed = TOY["toy"].Y.copy()
    changed[test[0]] += 50.0
    found = evaluate(TOY, method, "toy", 0)
    other = evaluate({"toy": Bunch(X=X, Y=changed)}, method, "toy", 0)
    assert other["n_components"] == found["n_components"]
    assert other["arrmse"] != found["arrmse"]
