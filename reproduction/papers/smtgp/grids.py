"""From which grids the methods of twin Gaussian processes choose."""

from dataclasses import replace

from reproduction.engine.grids import Grid

_TOYS = ("toy 1", "toy 2")
_DEPENDENCE = ("HSIC-KNN", "KTA-KNN")
_SEARCH = "open: a search over kernels for all forms of the family takes hours"
_WIDENED = dict.fromkeys(("HSIC-KNN", "m-KRR", "m-KRR centred"), "widened on toys; open elsewhere")


def _kind(setting):
    return "toys" if setting.startswith(_TOYS) else "others"


def _of_table(name, usual):
    """Grid of a parameter of Table 2: the usual one, or the wider one that a method has on toys."""

    def values(parameters, method, setting):
        wider = parameters["wider on toys"].get(method) if _kind(setting) == "toys" else None
        return usual(parameters, method, setting) if wider is None else wider[name]

    return values


def _of_kernel(name):
    """Grid of a width or a ridge parameter of kernels of inputs and outputs, by method."""

    def values(parameters, method, setting):
        if method in _DEPENDENCE:
            return parameters["dependence"][name]
        if "TGP" in method:
            return parameters["twins"][_kind(setting)][name]
        return parameters["ridges"]

    return values


def _neighbors(parameters, method, setting):
    return (parameters["dependence"] if method in _DEPENDENCE else parameters)["n_neighbors"]


def _alphas(parameters, method, setting):
    return parameters["alphas as printed" if method.endswith("as printed") else "alphas"]


def _read(values):
    """Grid of a reading, whose methods have other labels: that of the method in Table 2."""
    return lambda parameters, method, setting: values(parameters, method.split(", ")[0], setting)


_FAMILY = tuple(
    f"{form}{end}" for form in ("KLTGP", "IKLTGP", "SMTGP") for end in ("", " as printed")
)
GRIDS = {
    "smtgp-table-02": {
        "factor": Grid(
            values=_of_table("factor", lambda parameters, *_: parameters["width_factors"]),
            done_of=_WIDENED,
        ),
        **{
            name: Grid(
                values=_of_table(name, _of_kernel(name)),
                done_of=dict.fromkeys(_FAMILY, _SEARCH) | _WIDENED,
            )
            for name in ("factor_x", "factor_y", "ridge")
        },
        # One neighbour is the fewest, and two are where outputs are to depend on inputs.
        "n_neighbors": Grid(
            values=_of_table("n_neighbors", _neighbors), natural={"low": 2}, done_of=_WIDENED
        ),
        "n_components": Grid(
            values=lambda parameters, *_: parameters["n_components"], natural={"low": 1}
        ),
        "alpha": Grid(
            values=_alphas, natural={"low": 0, "high": 1}
        ),  # the ends are the two KL forms
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
            natural={"low": 0, "high": 1},
        ),
    },
}
GRIDS["smtgp-readings-02"] = {
    name: replace(grid, values=_read(grid.values), done="open", done_of={})
    for name, grid in GRIDS["smtgp-table-02"].items()
}
NOT_RECORDED = {
    "smtgp-readings-02": "ridge parameters of OFER-GMM",
    "smtgp-table-02": "ridge parameters of OFER-GMM",
    "smtgp-grid": "widths and ridge parameter, which are those of Table 2",
}
