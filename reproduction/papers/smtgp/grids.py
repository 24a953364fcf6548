"""From which grids the methods of twin Gaussian processes choose."""

from reproduction.engine.grids import Grid

_TOYS = ("toy 1", "toy 2")
_DEPENDENCE = ("HSIC-KNN", "KTA-KNN")
_SEARCH = "open: the search over kernels takes hours"
_WIDER = "widened, for rivals"


def _kind(setting):
    return "toys" if setting.startswith(_TOYS) else "others"


def _of_kernel(name):
    """Grid of a width or a ridge parameter of Table 2, by method."""

    def values(parameters, method, setting):
        if method in _DEPENDENCE:
            return parameters["dependence"][_kind(setting)][name]
        if "TGP" in method:
            return parameters["twins"][_kind(setting)][name]
        return parameters["ridges"]

    return values


def _neighbors(parameters, method, setting):
    if method in _DEPENDENCE:
        return parameters["dependence"][_kind(setting)]["n_neighbors"]
    return parameters["n_neighbors"]


def _alphas(parameters, method, setting):
    return parameters["alphas as printed" if method.endswith("as printed") else "alphas"]


_WIDENED = dict.fromkeys((*_DEPENDENCE, "m-KRR", "m-KRR centred"), _WIDER)
GRIDS = {
    "smtgp-table-02": {
        "factor": Grid(values=lambda parameters, *_: parameters["width_factors"], done=_WIDER),
        **{
            name: Grid(values=_of_kernel(name), done=_SEARCH, done_of=_WIDENED)
            for name in ("factor_x", "factor_y", "ridge")
        },
        # One neighbour is the fewest, and two where there must be a dependence.
        "n_neighbors": Grid(values=_neighbors, natural=("low",), done_of=_WIDENED),
        "n_components": Grid(
            values=lambda parameters, *_: parameters["n_components"],
            natural=("low",),
            done=_WIDER,
        ),
        "alpha": Grid(values=_alphas, natural=("low", "high")),  # the ends are the two KL forms
    },
    "smtgp-certainty": {
        name: Grid(
            values=lambda parameters, _, setting, name=name: parameters["kernels"][_kind(setting)][
                name
            ],
            done=_SEARCH,
        )
        for name in ("factor_x", "factor_y", "ridge")
    },
    "smtgp-grid": {
        "alpha": Grid(
            values=lambda parameters, method, _: parameters["alphas"][method],
            natural=("low", "high"),
        ),
    },
}
NOT_RECORDED = {
    "smtgp-table-02": "ridge parameters of OFER-GMM",
    "smtgp-grid": "widths and ridge parameter, which are those of Table 2",
}
