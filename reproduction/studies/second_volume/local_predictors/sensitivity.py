"""Local structured predictors: sensitivity to k and C, Figures 3 and 4 of Du (2016)."""

from ofer.companions import LocalStructuredPredictor
from reproduction.studies.second_volume.local_predictors.baselines.majority import MajorityPredictor
from reproduction.studies.second_volume.local_predictors.evaluation import (
    FOLDS,
    mean_loss,
    quiet,
    take,
)

__all__ = ["NEIGHBORS", "PARAMETERS", "PENALTIES", "PRINTED", "evaluate"]

NEIGHBORS = {f"k = {k}": {"n_neighbors": k} for k in (5, 10, 20, 50, 100)}
PENALTIES = {f"C = {C:g}": {"C": C} for C in (0.001, 0.01, 0.1, 1.0, 10.0)}
PRINTED = ", as printed"  # how the names of the paper's form end
PARAMETERS = {
    "folds": FOLDS,
    "given": {"n_iter": 25, "C": 0.01, "n_neighbors": 20},
    "variants": NEIGHBORS | PENALTIES,
    "as printed": {"y_step": "literal", "y_init": "random"},
}


def evaluate(data, method, setting, split):
    """Mean loss of SSLSOP with one parameter given another value, on one fold of a task."""
    task = data[setting]
    train, (X_test, y_test) = take(task, split)
    if method == "majority":
        model = MajorityPredictor(task.space)
    else:
        form = {"y_init": "global" if task.space.sequential else "neighbors"}
        if method.endswith(PRINTED):
            form = PARAMETERS["as printed"]
        variant = PARAMETERS["variants"][method.removesuffix(PRINTED)]
        options = PARAMETERS["given"] | variant | form
        model = LocalStructuredPredictor(task.space, eta0=1.0, random_state=split, **options)
    with quiet():
        predicted = model.fit(*train).predict(X_test)
    return {"loss": mean_loss(task.space, y_test, predicted)}
