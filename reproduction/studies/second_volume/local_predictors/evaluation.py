"""Local structured predictors: Table 1 and Figure 5 of Du (2016)."""

import time
import warnings
from contextlib import contextmanager

import numpy as np
from scipy.sparse import hstack, issparse, vstack
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold
from sklearn.preprocessing import normalize
from sklearn.utils import Bunch

from ofer.companions import ChainOutputs, LocalStructuredPredictor, MulticlassOutputs, TreeOutputs
from reproduction.datasets.graphs.cora import fetch_cora
from reproduction.datasets.images.mias_bof import fetch_mias_bof
from reproduction.datasets.images.scene15 import fetch_scene15
from reproduction.datasets.tables.cbis_ddsm import fetch_cbis_ddsm
from reproduction.datasets.texts.conll2002_es import fetch_conll2002_es
from reproduction.engine.scores import Grid, Score
from reproduction.studies.second_volume.local_predictors import scene_features
from reproduction.studies.second_volume.local_predictors.baselines.comparison import (
    semi_supervised_baselines,
)
from reproduction.studies.second_volume.local_predictors.baselines.majority import MajorityPredictor
from reproduction.studies.second_volume.local_predictors.labelled_folds import LabelledKFold
from reproduction.studies.second_volume.local_predictors.line_search import LineSearchCV

__all__ = [
    "CHOSEN",
    "DATASETS_OF",
    "FOLDS",
    "LOCAL",
    "OF_SENTENCES",
    "PARAMETERS",
    "break_ties",
    "build",
    "evaluate",
    "load_classes",
    "load_sentences",
    "load_tasks",
    "mean_loss",
    "quiet",
    "take",
    "take_rows",
]

FOLDS = {
    "n_folds": 10,
    "labelled": 0.3,
    "random_state": 2016,
    "scenes": scene_features.PARAMETERS,
    "ties": 1e-3,  # size of a feature that breaks ties between neighbours
}
PARAMETERS = {
    **FOLDS,
    "n_inner_folds": 2,
    # Of local predictors one fold is tested, to save time. Their parameters go along these lines
    # one after the other, from this start.
    "n_used_folds": 1,
    "start": {"y_init": "neighbors", "n_neighbors": 5, "C": 0.1, "n_iter": 5},
    "lines": {
        "y_init": ["neighbors", "global"],
        "n_neighbors": [5, 20, 100],
        "C": [0.001, 0.01, 0.1, 1.0],
        "n_iter": [5, 10, 25],
    },
    "most_neighbors": {"whole sentences": 20},  # a hundred would take hours and gigabytes
    # The package's own grids, without candidates that are slow and hardly ever the best.
    "baselines": {
        "linear SVM": {"param_grid": {"estimator__C": [0.01, 0.1, 1.0, 10.0]}},
        "self-training": {
            "param_grid": {"estimator__C": [1.0, 10.0, 100.0], "threshold": [0.9]},
            "estimator__estimator__tol": 1e-3,
        },
        "Laplacian ridge": {"param_grid": {"alpha": [1e-3, 1e-2], "smoothness": [0.1, 1.0, 10.0]}},
        "Laplacian SVM": {"param_grid": {"alpha": [1e-3, 1e-2], "smoothness": [0.1, 1.0, 10.0]}},
    },
}
LOCAL = ("SSLSOP", "SSLSOP as printed", "SSLSOP, outputs held")


def load_tasks():
    """Inputs, outputs and their space, for each task."""
    return load_classes() | load_sentences()


def load_classes():
    """The tasks with classes as outputs, whose data are all in the checkout; as `load_tasks`."""
    findings, regions = fetch_cbis_ddsm(), fetch_mias_bof()
    scenes, papers = fetch_scene15(), fetch_cora()
    leaves = TreeOutputs(scenes.parents, scenes.leaves)
    words = hstack([papers.words, papers.out_links]).tocsr()
    tasks = {
        "mammograms": (findings.features, findings.labels, MulticlassOutputs(), findings.patient),
        "regions": (np.sqrt(regions.counts), regions.labels, MulticlassOutputs(), regions.image),
        "scenes": (scenes.features, scenes.labels, leaves, None),
        "papers": (words, papers.labels, MulticlassOutputs(), None),
    }
    bunches = {
        name: Bunch(X=break_ties(normalize(X)), y=y, space=space, groups=groups, forms=None)
        for name, (X, y, space, groups) in tasks.items()
    }
    bunches["scenes"] |= {"X": normalize(scenes.features), "forms": {}}
    return bunches


def load_sentences():
    """The two tasks with sentences, whose corpus has to be downloaded; as `load_tasks`."""
    tasks = {}
    for name, subset in {"sentences": "windows_9", "whole sentences": "first_300"}.items():
        corpus = fetch_conll2002_es(subset=subset)
        lengths = [words.shape[0] for words in corpus.features]
        joined = break_ties(normalize(vstack(corpus.features, format="csr")))
        rows = [joined[end - n : end] for n, end in zip(lengths, np.cumsum(lengths), strict=True)]
        space = ChainOutputs(np.unique(np.concatenate(corpus.tags)))  # some tags are rare
        tasks[name] = Bunch(X=rows, y=corpus.tags, space=space, groups=None, forms=None)
    return tasks


def break_ties(X):
    """Rows with one more feature, drawn and tiny, so that no two are equally near to a third.

    Rows of words have few different distances. Which of the neighbours that tie a search returns
    depends on the processor, on how its sorting and summing are vectorised.
    """
    draw = np.random.default_rng(FOLDS["random_state"])
    column = FOLDS["ties"] * draw.normal(size=(X.shape[0], 1))
    return hstack([X, column]).tocsr() if issparse(X) else np.hstack([X, column])


def take(task, split):
    """One of ten folds, with most of the training outputs hidden."""
    seen, unseen, y = take_rows(task, split)
    if task.space.sequential:
        parts = [[task.X[i] for i in part] for part in (seen, unseen)]
        return (parts[0], y), (parts[1], [task.y[i] for i in unseen])
    X = task.X
    if task.forms is not None:
        if split not in task.forms:  # to find one takes longer than most fits
            form = scene_features.choose_form(X, seen, y, seed=split)[1]
            task.forms[split] = break_ties(form)
        X = task.forms[split]
    return (X[seen], y), (X[unseen], task.y[unseen])


def take_rows(task, split):
    """Which samples `take` puts where."""
    seed = FOLDS["random_state"]
    make = KFold if task.groups is None else GroupKFold
    folds = make(FOLDS["n_folds"], shuffle=True, random_state=seed)
    seen, unseen = list(folds.split(np.zeros(len(task.y)), groups=task.groups))[split]
    hidden = np.random.default_rng([seed, split]).random(len(seen)) >= FOLDS["labelled"]
    if task.space.sequential:
        y = [None if hide else task.y[i] for i, hide in zip(seen, hidden, strict=True)]
    else:
        y = np.where(hidden, -1, task.y[seen])
    return seen, unseen, y


def build(method, space, *, seed, most_neighbors=None):
    """An estimator that chooses its parameters on the labelled samples."""
    if method not in LOCAL:
        options = {"n_splits": PARAMETERS["n_inner_folds"], "random_state": seed}
        model = semi_supervised_baselines(space, **options)[method]
        return model.set_params(**PARAMETERS["baselines"].get(method, {}))
    lines, start = dict(PARAMETERS["lines"]), dict(PARAMETERS["start"])
    lines["n_neighbors"] = [k for k in lines["n_neighbors"] if k <= (most_neighbors or k)]
    y_step = {"SSLSOP": "upper_bound", "SSLSOP as printed": "literal"}.get(method)
    if method == "SSLSOP as printed":
        lines["y_init"] = ["random"]
    elif space.sequential:
        lines["y_init"] = ["global"]  # of single words, neighbours know too little
    start["y_init"] = lines["y_init"][0]
    model = LocalStructuredPredictor(space, random_state=seed, y_step=y_step, eta0=1.0, **start)
    options = {"n_used": PARAMETERS["n_used_folds"], "random_state": seed}
    folds = LabelledKFold(PARAMETERS["n_inner_folds"], **options)
    return LineSearchCV(model, lines, cv=folds)


def evaluate(data, method, setting, split):
    """Mean loss of one method on one fold of a task."""
    task = data[setting]
    train, (X_test, y_test) = take(task, split)
    most = PARAMETERS["most_neighbors"].get(setting)
    model = build(method, task.space, seed=split, most_neighbors=most)
    with quiet():
        if isinstance(model, GridSearchCV | LineSearchCV):
            search = model.set_params(refit=False).fit(*train)
            model = clone(search.estimator).set_params(**search.best_params_)
        start = time.thread_time()
        model.fit(*train)
        seconds = time.thread_time() - start
        predicted = model.predict(X_test)
    values = {"loss": mean_loss(task.space, y_test, predicted), "fit time": seconds}
    if task.space.sequential:
        trivial = MajorityPredictor(task.space).fit(*train).predict(X_test)
        words = np.concatenate(y_test) != np.concatenate(predicted)
        values["word loss"] = float(words.mean())
        values["majority only"] = 1.0 - mean_loss(task.space, trivial, predicted)
    if method in LOCAL:
        values |= {name: float(getattr(model, name)) for name in ("n_neighbors", "C", "n_iter")}
        values["global start"] = float(model.y_init == "global")
    return values


@contextmanager
def quiet():
    """Without warnings of what the tables show anyway."""
    with warnings.catch_warnings():
        # Outputs that have all become one label are a result here.
        warnings.filterwarnings("ignore", "The outputs of all unlabelled samples")
        # Printed steps may raise the objective, and bags of words have columns of all sizes.
        warnings.filterwarnings("ignore", "the objective is larger at the end")
        warnings.filterwarnings(
            "ignore", "half or more of the columns of X have less than a hundredth"
        )
        # Candidates with weak penalties stop before they converge. The folds judge what they are.
        warnings.simplefilter("ignore", ConvergenceWarning)
        # Label spreading divides by the zeros of samples that no label reaches.
        warnings.filterwarnings("ignore", "invalid value encountered in divide", RuntimeWarning)
        yield


def mean_loss(space, y, predicted):
    """Average structured loss, equation (28)."""
    if space.sequential:
        return float(np.mean([np.any(a != b) for a, b in zip(y, predicted, strict=True)]))
    if isinstance(space, TreeOutputs):
        return float(space.fit([]).loss_matrix_[y, predicted].mean())
    return float(np.mean(y != predicted))


DATASETS_OF = {
    "mammograms": ["cbis_ddsm"],
    "regions": ["mias_bof"],
    "scenes": ["scene15"],
    "papers": ["cora"],
    "sentences": ["conll2002_es"],
    "whole sentences": ["conll2002_es"],
}
# The corpus is the paper's; which 300 sentences it took is not said.
OF_SENTENCES = {
    "sentences": "windows of nine words, as the paper's sentences of nine words are not known",
    "whole sentences": "the first 300 sentences, as the paper's are not known",
}


def _line(name):
    """One of the lines that the search goes along."""
    return lambda parameters, *_: parameters["lines"][name]


def _neighbors(parameters, method, setting):
    most = parameters["most_neighbors"].get(setting)
    return [k for k in _line("n_neighbors")(parameters) if most is None or k <= most]


CHOSEN = (
    Score("n_neighbors", low=1, whole=True, choice=Grid(values=_neighbors)),
    Score("C", choice=Grid(values=_line("C"))),
    Score("n_iter", whole=True, choice=Grid(values=_line("n_iter"))),
    Score(
        "global start",
        high=1,
        whole=True,
        choice="a start is one of two, and neither is an end",
    ),
)
