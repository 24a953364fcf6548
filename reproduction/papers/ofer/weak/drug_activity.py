"""Table 10: weak labels on the NCI-60 drug activities (section 6.4.2)."""

import warnings

import numpy as np
from sklearn.model_selection import KFold

from ofer import GaussianMixtureEmbedding, OutputFisherRegressor
from ofer.embeddings import CollapsedComponentWarning
from ofer.metrics import arrmse, rrmse
from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.papers.ofer.drugs import OVERLAP, SETTINGS, load_molecules
from reproduction.papers.ofer.ridge import squared_error_ridge
from reproduction.papers.ofer.weak.as_printed import WEAK_WEIGHTS, Problem, predict_as_printed
from reproduction.statistics.splits import repeated_splits

__all__ = ["EXPERIMENT", "evaluate"]

PARAMETERS = {
    "train_fraction": 0.6,
    "random_state": 2018,
    "n_components": [1, 2, 3, 4, 6, 8],
    "outputs_per_component": 5,
    "as_printed": {
        "alphas": np.logspace(-4, 3, 8).tolist(),
        "n_folds": 5,
        "weak_weights": WEAK_WEIGHTS,
    },
}
N_WEAK = {"OFER-GMM": 0, "wOFER+100": 100, "wOFER+500": 500, "wOFER+800": 800}
AS_PRINTED = {
    "OFER-GMM as printed": 0,
    "wOFER+100 as printed": 100,
    "wOFER+500 as printed": 500,
    "wOFER+800 as printed": 800,
    "wOFER+800 as printed, shuffled": 800,
}
IMPUTED = "m-KRR imputed+800"


def evaluate(data, method, setting, split):
    """Errors of one method on one split with one training size.

    Parameters
    ----------
    data : sklearn.utils.Bunch
        As from `load_molecules`.
    method : str
        One of the experiment's methods.
    setting : str
        Number of labelled molecules.
    split : int
        Number of the split; the splits are those of Table 9.

    Returns
    -------
    dict of str to float
        The metrics "rrmse", "arrmse" and, where there is a mixture, the chosen "n_components";
        in the forms as printed the chosen "weak_weight".
    """
    n_train = int(setting)
    parts = repeated_splits(
        len(data.Y),
        n_splits=split + 1,
        train_fraction=PARAMETERS["train_fraction"],
        train_sizes=[n_train],
        random_state=PARAMETERS["random_state"],
    )[split]
    train, test = parts.train(n_train), parts.test
    weak = parts.rest(n_train)[: (N_WEAK | AS_PRINTED).get(method, 800)]
    seen, told = np.concatenate([train, weak]), weak
    if "shuffled" in method:  # a control: what is said of a molecule is true of another one
        told = np.random.default_rng(split).permutation(weak)
    if method in AS_PRINTED:
        return _evaluate_as_printed(data, train, told, seen, test, seed=split)
    fit = _fit_imputed if method == IMPUTED else _fit_ofer
    if method == "m-KRR centred":
        seen = train
        model = squared_error_ridge(kernel="precomputed")
        model.fit(data.K[np.ix_(train, train)], data.Y[train])
    else:
        model, n_components = _select(fit, data, train, told, seen, seed=split)
    predicted = model.predict(data.K[np.ix_(test, seen[: model.n_features_in_])])
    errors = _errors(data.Y, train, test, predicted)
    if method != "m-KRR centred":
        errors["n_components"] = float(n_components)
    return errors


def _errors(Y, train, test, predicted):
    return {
        "rrmse": rrmse(Y[test], predicted),
        "arrmse": arrmse(Y[test], predicted, y_train=Y[train]),
    }


def _sizes(n_train):
    """Numbers of components that leave each enough outputs on average."""
    largest = n_train / PARAMETERS["outputs_per_component"]
    return [count for count in PARAMETERS["n_components"] if count <= largest]


def _evaluate_as_printed(data, train, told, seen, test, *, seed):
    """Errors of the printed form, with all choices by folds."""
    options, Y = PARAMETERS["as_printed"], data.Y[train]
    K, sizes = data.K[np.ix_(seen, seen)], _sizes(len(train))
    problem = Problem(K, Y, data.Y[told], sizes, options["alphas"], seed, {})
    folds = KFold(options["n_folds"], shuffle=True, random_state=seed)
    predicted, choice = predict_as_printed(problem, folds, data.K[np.ix_(test, seen)])
    chosen = {"n_components": float(choice.n_components)}
    if told.size:
        chosen["weak_weight"] = choice.weight
    return {**_errors(data.Y, train, test, predicted), **chosen}


def _select(fit, data, train, told, seen, *, seed):
    """Model with the number of components of least leave-one-out error on the labelled."""
    found = []
    for n_components in _sizes(len(train)):
        mixture = GaussianMixtureEmbedding(n_components, random_state=seed)
        with warnings.catch_warnings():
            # Ten molecules for two components: the leave-one-out error punishes a collapse.
            warnings.simplefilter("ignore", CollapsedComponentWarning)
            model, predicted = fit(mixture, data, train, told, seen)
        found.append((rrmse(data.Y[train], predicted), n_components, model))
    _, n_components, model = min(found, key=lambda one: one[0])
    return model, n_components


def _fit_ofer(mixture, data, train, told, seen):
    """OFER-GMM, with the responsibilities of the weak under the mixture of the labelled."""
    model = OutputFisherRegressor(
        mixture, squared_error_ridge(kernel="precomputed"), block_wise=True
    )
    weak_data = {}
    if told.size and mixture.n_components > 1:  # weak labels of one component say nothing
        mixture.fit(data.Y[train])
        weak_data["X_weak"] = data.K[np.ix_(seen[len(train) :], seen)]
        weak_data["membership_weak"] = mixture.predict_proba(data.Y[told])
    model.fit(data.K[np.ix_(train, train)], data.Y[train], weak_weight=1.0, **weak_data)
    return model, model.loo_predict()


def _fit_imputed(mixture, data, train, told, seen):
    """Plain ridge regression, with the mean of its components as the output of a weak molecule."""
    Y = data.Y[train]
    imputed = mixture.fit(Y).predict_proba(data.Y[told]) @ mixture.means_
    model = squared_error_ridge(kernel="precomputed")
    model.fit(data.K[np.ix_(seen, seen)], np.vstack([Y, imputed]))
    return model, Y - model.loo_residuals_[: len(Y)]


EXPERIMENT = Experiment(
    id="ofer-table-10",
    title="Table 10: drug activity prediction with weak labels",
    load=load_molecules,
    evaluate=evaluate,
    methods=("m-KRR centred", *N_WEAK, IMPUTED, "wOFER+800 shuffled", *AS_PRINTED),
    settings=SETTINGS,
    n_splits=10,
    parameters=PARAMETERS,
    datasets=("nci60",),
    check=Check(settings=("10",)),
    facts=Facts(test_train_ratio=OVERLAP),
)
