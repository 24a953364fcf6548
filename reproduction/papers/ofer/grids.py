"""From which grids the methods of OFER's tables choose."""

import numpy as np

from reproduction.engine.grids import Grid

_COUNTS = (1, 2, 3, 4, 6, 8)
_WEIGHTS = (0.01, 0.1, 1.0, 10.0)
_PER_COMPONENT = 5  # outputs that a component must have on average
# Of the smallest sets, how many components leave each five outputs, and not more than there are
# different outputs; of the others all of the grid.
_LARGEST_OF_SET = {"andro": 39 / 5, "edm": 5}
_TRAINED = {"andro": 39, "edm": 123, "atp7d": 236, "sf1": 258, "oes97": 267, "atp1d": 269}
_SLOW = ("OFER-GMM exact", "OFER forest")
_COMPONENTS = "open: more components are a search of their own"
_TWO = "open: two candidates, so that each is an end"


def _at(*path):
    """A grid that is the same for all methods and settings, from the declared parameters."""

    def values(parameters, method, setting):
        for key in path:
            parameters = parameters[key]
        return parameters

    return values


def _fixed(*grid):
    """The same grid in all tables of a kind."""
    return lambda parameters, method, setting: grid


def _by_size(parameters, method, setting):
    """Numbers of components that leave each enough of the labelled molecules."""
    return [count for count in _COUNTS if count <= int(setting) / _PER_COMPONENT]


def _by_set(parameters, method, setting):
    name = "n_components_of_slow" if method in _SLOW else "n_components"
    largest = _LARGEST_OF_SET.get(setting, np.inf)
    return [count for count in parameters[name] if count <= largest]


def _of_conformal(parameters, method, setting):
    largest = _LARGEST_OF_SET.get(setting, np.inf)
    return [count for count in parameters["n_components"] if count <= largest]


def _neighbours(parameters, method, setting):
    """Without the counts that a smaller one, which is all neighbours, equals."""
    counts, n = parameters["n_neighbours"], _TRAINED.get(setting, parameters["most_train"])
    return [count for count, before in zip(counts, [0, *counts], strict=False) if before < n]


def _clusters(parameters, method, setting):
    largest = {"edm": 5}.get(setting, np.inf)
    return [count for count in parameters["n_clusters"] if count <= largest]


def _of_images(parameters, method, setting):
    counts = parameters["n_components"]
    if "as printed" in method:
        return [count for count in counts if count > 1 or ", C > 1" not in method]
    if setting == "1":
        return []  # of one image nothing is left out
    return [*counts, *parameters["wide"]] if "wide" in method or "imputed" in method else counts


def _widths_of_traits(parameters, method, setting):
    """Where the width is the median distance, nothing is chosen."""
    return [0.5, 1, 2, 4, 8] if "width by folds" in method else [1]


def _costs(parameters, method, setting):
    """The search goes on by decades, between a least and a greatest cost."""
    least, greatest = np.log10(parameters["choices"]["least_and_greatest_cost"])
    return np.logspace(least, greatest, round(greatest - least) + 1)


def _counts(values, done=_COMPONENTS):
    """Numbers of components, clusters or states, of which one is the fewest."""
    return Grid(values=values, natural={"low": 1}, done=done)


# One component is the fewest, and two where there must be a mixture.
_COMPARED = {
    "n_components": Grid(values=_of_images, natural={"low": 2}, done="open"),
    "cost": Grid(values=_costs, done="open"),
    "n_hidden": Grid(values=_at("choices", "n_hidden"), done=_TWO),
    "learning_rate": Grid(values=_at("choices", "learning_rate"), done=_TWO),
    "features tried": "two rules for the number of features, and neither is an end",
}
_READ = {name: _COMPARED[name] for name in ("n_components", "cost")}
_BY_ACCURACY = {"n_components": _COMPARED["n_components"]}
_WEAK_IMAGES = {
    "n_components": Grid(values=_of_images, natural={"low": 2}, done="open"),
    "weak_weight": Grid(values=_at("weak_weights"), done=_TWO),
}
_WEAK_WEIGHT = Grid(values=_fixed(*_WEIGHTS))
GRIDS = {
    "ofer-coverage": {
        "n_components": _counts(_of_conformal),
        "n_neighbours": Grid(values=_neighbours, natural={"high": min(_TRAINED.values())}),
        "n_clusters": _counts(_clusters, "open"),
    },
    "ofer-cv": {
        "n_components": _counts(
            lambda parameters, method, _: parameters["methods"][method]["n_components"]
        ),
    },
    "ofer-mtr": {
        "n_components": _counts(_by_set),
        "width_factor": Grid(values=_at("width_factors")),
    },
    "ofer-readings-11": _READ,
    "ofer-readings-11-choice": _BY_ACCURACY,
    "ofer-readings-12": _READ,
    "ofer-readings-12-choice": _BY_ACCURACY,
    "ofer-readings-13": _WEAK_IMAGES,
    "ofer-readings-13-choice": _WEAK_IMAGES,
    "ofer-readings-14": _WEAK_IMAGES,
    "ofer-readings-14-choice": _WEAK_IMAGES,
    "ofer-readings-10": {
        "n_components": _counts(_by_size),
        "weak_weight": _WEAK_WEIGHT,
        "width": Grid(values=_fixed(0.5, 1, 2, 4, 8), done="open: wider ones are not tried"),
    },
    "ofer-readings-drugs": {
        "n_components": _counts(_by_size),
        "alpha": Grid(values=_fixed(*np.logspace(-6, 3, 10))),
        "width": Grid(values=_fixed(*np.logspace(-2, 5, 8, base=2))),
    },
    "ofer-readings-traits": {
        "n_components": _counts(_fixed(1, 2, 3, 4, 6, 8)),
        "alpha": Grid(values=_fixed(*np.logspace(-4, 4, 9))),
        "width": Grid(values=_widths_of_traits, done="open: narrower widths are not tried"),
    },
    "ofer-table-06": {"n_states": _counts(_fixed(1, 2), "open")},
    "ofer-table-07": {"n_components": _counts(_fixed(*_COUNTS))},
    "ofer-table-08": {"n_components": _counts(_fixed(*_COUNTS)), "weak_weight": _WEAK_WEIGHT},
    "ofer-table-09": {
        "n_components": _counts(_by_size),
        "output_width": Grid(values=_fixed(0.5, 1, 2, 4, 8)),
    },
    "ofer-table-10": {
        "n_components": _counts(_by_size),
        "weak_weight": _WEAK_WEIGHT,
    },
    "ofer-table-11": _COMPARED,
    "ofer-table-12": _COMPARED,
    "ofer-table-13": _WEAK_IMAGES,
    "ofer-table-14": _WEAK_IMAGES,
}
_RIDGES = "ridge parameters"
NOT_RECORDED = {
    "ofer-ablation": _RIDGES,
    "ofer-candidate-vectors": f"components, {_RIDGES}",
    "ofer-choosing-inside": _RIDGES,
    "ofer-coverage": f"width, {_RIDGES}; of one Gaussian process an output its width and noise",
    "ofer-cv": f"kernel and its width, {_RIDGES}",
    "ofer-digits": _RIDGES,
    "ofer-forensics": _RIDGES,
    "ofer-mtr": _RIDGES,
    "ofer-partial-labels": _RIDGES,
    "ofer-readings-11": _RIDGES,
    "ofer-readings-11-choice": _RIDGES,
    "ofer-readings-12": _RIDGES,
    "ofer-readings-12-choice": _RIDGES,
    "ofer-readings-13": _RIDGES,
    "ofer-readings-13-choice": _RIDGES,
    "ofer-readings-14": _RIDGES,
    "ofer-readings-14-choice": _RIDGES,
    "ofer-readings-10": _RIDGES,
    "ofer-readings-drugs": f"{_RIDGES} of our OFER-GMM",
    "ofer-readings-volatility": f"states, width of alignments, {_RIDGES}, features that trees try",
    "ofer-scaled-boxes": f"width, {_RIDGES}",
    "ofer-sensitivity-d1": _RIDGES,
    "ofer-table-01": _RIDGES,
    "ofer-table-03": _RIDGES,
    "ofer-table-04": f"width, {_RIDGES}",
    "ofer-table-05": f"states, width of alignments, {_RIDGES}, features that trees try",
    "ofer-table-06": f"width of alignments, {_RIDGES}, features that trees try",
    "ofer-table-07": f"{_RIDGES}, features that trees try",
    "ofer-table-08": _RIDGES,
    "ofer-table-09": f"{_RIDGES}, features that trees try",
    "ofer-table-10": _RIDGES,
    "ofer-table-11": _RIDGES,
    "ofer-table-12": _RIDGES,
    "ofer-table-13": _RIDGES,
    "ofer-table-14": _RIDGES,
    "ofer-weak-awa": _RIDGES,
    "ofer-weak-caltech101": _RIDGES,
    "ofer-weak-safeguards": f"width, {_RIDGES}",
    "ofer-weak-small": _RIDGES,
    "ofer-weak-traits": _RIDGES,
    "ofer-weak-weight": f"components, {_RIDGES}",
}
