"""From which grids the methods of OFER's tables choose."""

import numpy as np

from reproduction.engine.grids import Grid

_IMAGES = "open"
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


def _by_size(parameters, method, setting):
    """Numbers of components that leave each enough of the labelled molecules."""
    largest = int(setting) / parameters["outputs_per_component"]
    return [count for count in parameters["n_components"] if count <= largest]


def _by_set(parameters, method, setting):
    name = "n_components_of_slow" if method in _SLOW else "n_components"
    largest = _LARGEST_OF_SET.get(setting, np.inf)
    return [count for count in parameters[name] if count <= largest]


def _of_candidates(parameters, method, setting):
    largest = int(setting.split()[-1]) / parameters["outputs_per_component"]
    return [count for count in parameters["n_components"] if count <= largest]


def _of_conformal(parameters, method, setting):
    largest = _LARGEST_OF_SET.get(setting, np.inf)
    return [count for count in parameters["n_components"] if count <= largest]


def _neighbours(parameters, method, setting):
    """All neighbours are the last of the grid, however many more are asked for."""
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


def _costs(parameters, method, setting):
    """The search goes on by decades, between a least and a greatest cost."""
    least, greatest = np.log10(parameters["choices"]["least_and_greatest_cost"])
    return np.logspace(least, greatest, round(greatest - least) + 1)


def _counts(values, done=_COMPONENTS):
    """Numbers of components, clusters or states, of which one is the fewest."""
    return Grid(values=values, natural=("low",), done=done)


_COMPARED = {
    "n_components": Grid(values=_of_images, natural=("low",), done=_IMAGES),
    "cost": Grid(values=_costs, done=_IMAGES),
    "n_hidden": Grid(values=_at("choices", "n_hidden"), done=_TWO),
    "learning_rate": Grid(values=_at("choices", "learning_rate"), done=_TWO),
    "features tried": "two rules for the number of features, and neither is an end",
}
_WEAK_IMAGES = {
    "n_components": Grid(values=_of_images, natural=("low",), done=_IMAGES),
    "weak_weight": Grid(values=_at("weak_weights"), done=_TWO),
}
_WEAK_WEIGHT = Grid(values=_at("as_printed", "weak_weights"))
GRIDS = {
    "ofer-coverage": {
        "n_components": _counts(_of_conformal),
        "n_neighbours": Grid(values=_neighbours, natural=("high",)),
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
    "ofer-readings-drugs": {
        "n_components": _counts(_by_size),
        "alpha": Grid(values=_at("alphas")),
        "width": Grid(values=_at("widths")),
    },
    "ofer-table-06": {"n_states": _counts(_at("n_states"), "open")},
    "ofer-table-07": {"n_components": _counts(_at("n_components"))},
    "ofer-table-08": {"n_components": _counts(_at("n_components")), "weak_weight": _WEAK_WEIGHT},
    "ofer-table-09": {
        "n_components": _counts(_by_size),
        "output_width": Grid(values=_at("output_widths")),
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
    "ofer-cv": f"width, {_RIDGES}",
    "ofer-digits": _RIDGES,
    "ofer-forensics": _RIDGES,
    "ofer-mtr": _RIDGES,
    "ofer-partial-labels": _RIDGES,
    "ofer-readings-drugs": f"{_RIDGES} of our OFER-GMM",
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
