"""From which values the methods of twin Gaussian processes choose."""

from dataclasses import replace

from reproduction.engine.scores import Grid, Score

__all__ = ["CERTAINTY", "READINGS", "TABLE_2"]

_KERNELS = ("factor_x", "factor_y", "ridge")
_DEPENDENCE = ("HSIC-KNN", "KTA-KNN")
_SEARCH = "open: a search over kernels for all forms of the family takes hours"
_WIDENED = dict.fromkeys(("HSIC-KNN", "m-KRR", "m-KRR centred"), "widened on toys; open elsewhere")
_FAMILY = tuple(
    f"{form}{end}" for form in ("KLTGP", "IKLTGP", "SMTGP") for end in ("", " as printed")
)


def _kind(setting):
    return "toys" if setting.startswith(("toy 1", "toy 2")) else "others"


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


def _of_certainty(name):
    """Grid of a parameter of the kernels under which certainties are measured."""
    return lambda parameters, _, setting: parameters["kernels"][_kind(setting)][name]


def _neighbors(parameters, method, setting):
    return (parameters["dependence"] if method in _DEPENDENCE else parameters)["n_neighbors"]


def _alphas(parameters, method, setting):
    return parameters["alphas as printed" if method.endswith("as printed") else "alphas"]


def _read(score):
    """Score of a reading, whose methods have other labels: the grid is that of Table 2."""

    def values(parameters, method, setting):
        return score.choice.values(parameters, method.split(", ")[0], setting)

    return replace(score, choice=replace(score.choice, values=values, done="open", done_of={}))


TABLE_2 = (
    # One neighbour is the fewest, and two are where outputs are to depend on inputs.
    Score(
        "n_neighbors",
        low=1,
        whole=True,
        choice=Grid(
            values=_of_table("n_neighbors", _neighbors), natural={"low": 2}, done_of=_WIDENED
        ),
    ),
    *(
        Score(
            name,
            choice=Grid(
                values=_of_table(name, _of_kernel(name)),
                done_of=dict.fromkeys(_FAMILY, _SEARCH) | _WIDENED,
            ),
        )
        for name in _KERNELS
    ),
    Score(
        "factor",
        choice=Grid(
            values=_of_table("factor", lambda parameters, *_: parameters["width_factors"]),
            done_of=_WIDENED,
        ),
    ),
    Score(
        "n_components",
        low=1,
        whole=True,
        choice=Grid(values=lambda parameters, *_: parameters["n_components"], natural={"low": 1}),
    ),
    # The ends are the two KL forms.
    Score("alpha", choice=Grid(values=_alphas, natural={"low": 0, "high": 1})),
)
READINGS = tuple(map(_read, TABLE_2))
CERTAINTY = tuple(
    Score(name, choice=Grid(values=_of_certainty(name), done=_SEARCH)) for name in _KERNELS
)
