"""How many weak labels, how coarse, how wrong; and classes without a labelled image."""

from functools import partial

import numpy as np
from sklearn.preprocessing import normalize

from reproduction.engine.declaration import Check, Experiment, Facts, Tolerance
from reproduction.papers.ofer.images import tables as _images
from reproduction.papers.ofer.images.tasks import take
from reproduction.papers.ofer.weak_classes import latent
from reproduction.papers.ofer.weak_classes.candidates import candidates
from reproduction.papers.ofer.weak_classes.latent import fit_latent, self_training
from reproduction.papers.ofer.weak_classes.steps import N_SPLITS

__all__ = ["AMOUNTS", "COMPONENTS", "WRONG", "evaluate", "evaluate_unseen"]

AMOUNTS, COMPONENTS, WRONG = (250, 500, 1000), (5, 10, 20), (0.1, 0.2, 0.4)
PARAMETERS = {"noise": [0.0, 0.2, 0.4], "n_unseen": 10, "random_state": 101}
LEARNT, INFERRED, LEAVING = "imputed", "latent", "latent, may leave"


def evaluate(data, method, setting, split):
    """Accuracy of one method with weak labels of one kind.

    Parameters
    ----------
    data : sklearn.utils.Bunch
        As from `reproduction.papers.ofer.images.tables.load_images`.
    method : str
        "imputed", "latent", or "latent, may leave", which chooses a rate of wrong labels.
    setting : str
        "weak", "components" or "wrong", the number or share of these, and images a class.
    split : int
        Number of the split.

    Returns
    -------
    dict of str to float
        The metric "accuracy" in percent, and "noise", the chosen rate.
    """
    kind, value, per_class = setting.split()
    task = take(data, int(per_class), split)
    y_weak = task.y_weak[: int(value)] if kind == "weak" else task.y_weak
    n_components = int(value) if kind == "components" else None
    wrong = float(value) if kind == "wrong" else 0.0
    still_open = candidates(data, y_weak, n_components=n_components, wrong=wrong, seed=split)
    options = {"max_iter": 0} if method == LEARNT else {}
    noise = PARAMETERS["noise"] if method == LEAVING else 0.0
    model = fit_latent(task, still_open, noise_weak=noise, **options)
    accuracy = 100.0 * np.mean(model.predict(task.X_test) == task.y_test)
    return {"accuracy": accuracy, "noise": model.noise_weak_}


def evaluate_unseen(data, method, setting, split):
    """Accuracy where some classes have weak images and a name, but no labelled image.

    Parameters
    ----------
    data : sklearn.utils.Bunch
        As from `reproduction.papers.ofer.images.tables.load_images`.
    method : str
        One of the experiment's methods.
    setting : str
        Number of labelled images of the other classes.
    split : int
        Number of the split, which draws the classes.

    Returns
    -------
    dict of str to float
        In percent, the mean accuracy of a class among the "seen" and the "unseen" ones, all
        classes being candidates, and their "harmonic" mean.
    """
    task, n_classes = take(data, int(setting), split), len(data.vectors)
    rng = np.random.default_rng([PARAMETERS["random_state"], split])
    unseen = np.isin(np.arange(n_classes), rng.permutation(n_classes)[: PARAMETERS["n_unseen"]])
    kept = ~unseen[task.y]
    task = task._replace(X=task.X[kept], y=task.y[kept])
    still_open = candidates(data, task.y_weak)
    names, indicators = normalize(data.vectors - data.vectors.mean(axis=0)), np.eye(n_classes)
    options = {
        "names, imputed": {"places": names, "max_iter": 0},
        "indicators, imputed": {"max_iter": 0},
        "indicators, latent": {},
        "names, latent": {"places": names},
        "both, latent": {"places": np.hstack([indicators, names])},
    }
    if method == "one-hot ridge":
        predicted = self_training(task, n_classes, 0).argmax(axis=1)
    else:
        predicted = fit_latent(task, still_open, **options[method]).predict(task.X_test)
    right = predicted == task.y_test
    by_class = np.array([right[task.y_test == k].mean() for k in range(n_classes)])
    seen, other = 100.0 * by_class[~unseen].mean(), 100.0 * by_class[unseen].mean()
    total = seen + other
    return {"seen": seen, "unseen": other, "harmonic": 2.0 * seen * other / total if total else 0.0}


def _declare(id, name, title, function, methods, settings, checked, **options):
    return Experiment(
        id=id,
        title=f"{title} on {_images.TITLES[name]}",
        load=partial(_images.load_images, name),
        evaluate=function,
        methods=methods,
        settings=settings,
        n_splits=N_SPLITS,
        parameters={**PARAMETERS, **_images.PARAMETERS[name], "latent": latent.PARAMETERS},
        datasets=(name, "class_vectors"),
        check=Check(settings=(checked,), methods=methods[2:4]),
        # An image near a border of two classes may change sides on another processor.
        tolerance=Tolerance(atol={"accuracy": 0.2, "seen": 0.5, "unseen": 2.0, "harmonic": 2.0}),
        **options,
    )


def _curves(id, name, amounts, components, wrong):
    more = (*(f"weak {n} 1" for n in amounts), *(f"components {k} 1" for k in components))
    settings = (*more, *(f"wrong {share} {n}" for share in wrong for n in (1, 3)))
    return _declare(
        id,
        name,
        "Number, coarseness and errors of weak labels",
        evaluate,
        (LEARNT, INFERRED, LEAVING),
        settings,
        "wrong 0.2 1",
        methods_of=dict.fromkeys(more, (LEARNT, INFERRED)),
        facts=Facts(test_train_ratio=_images.overlap(name, settings)),
    )


def _unseen(id, name):
    methods = (
        "one-hot ridge", "names, imputed", "indicators, imputed", "indicators, latent",
        "names, latent", "both, latent",
    )  # fmt: skip
    return _declare(
        id, name, "Ten classes without a labelled image", evaluate_unseen, methods,
        ("1", "5"), "1",
    )  # fmt: skip


CURVES_AWA = _curves("ofer-latent-curves-awa", "awa", AMOUNTS, COMPONENTS, WRONG)
CURVES_CALTECH = _curves("ofer-latent-curves-caltech101", "caltech101", (), (), (0.2,))
UNSEEN_AWA = _unseen("ofer-latent-unseen-awa", "awa")
