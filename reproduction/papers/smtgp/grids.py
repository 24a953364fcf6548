"""From which grids the methods of twin Gaussian processes choose."""

from reproduction.engine.grids import Grid

_TOYS = ("toy 1", "toy 2")
_DEPENDENCE = ("HSIC-KNN", "KTA-KNN")
_SEARCH = "open: a search over kernels for all forms of the family takes hours"
_WIDENED = {"HSIC-KNN": "widened on toys; open elsewhere"}


def _kind(setting):
    return "toys" if setting.startswith(_TOYS) else "others"


def _of_dependence(name, parameters, method, setting):
    wider = parameters["wider on toys"].get(method) if _kind(setting) == "toys" else None
    return (wider or parameters["dependence"])[name]


def _of_kernel(name):
    """Grid of a width or a ridge parameter of Table 2, by method."""

    def values(parameters, method, setting):
        if method in _DEPENDENCE:
            return _of_dependence(name, parameters, method, setting)
        if "TGP" in method:
            return parameters["twins"][_kind(setting)][name]
        return parameters["ridges"]

    return values


def _neighbors(parameters, method, setting):
    if method in _DEPENDENCE:
        return _of_dependence("n_neighbors", parameters, method, setting)
    return parameters["n_neighbors"]


def _alphas(parameters, method, setting):
    return parameters["alphas as printed" if method.endswith("as printed") else "alphas"]


_FAMILY = tuple(
    f"{form}{end}" for form in ("KLTGP", "IKLTGP", "SMTGP") for end in ("", " as printed")
)
GRIDS = {
    "smtgp-table-02": {
        "factor": Grid(values=lambda parameters, *_: parameters["width_factors"]),
        **{
            name: Grid(values=_of_kernel(name), done_of=dict.fromkeys(_FAMILY, _SEARCH) | _WIDENED)
            for name in ("factor_x", "factor_y", "ridge")
        },
        # One neighbour is the fewest; HSIC-KNN takes two or more.
        "n_neighbors": Grid(values=_neighbors, natural=("low",), done_of=_WIDENED),
        "n_components": Grid(
            values=lambda parameters, *_: parameters["n_components"], natural=("low",)
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
