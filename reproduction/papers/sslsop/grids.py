"""From which grids local structured predictors choose."""

from reproduction.engine.grids import Grid


def _line(name):
    """One of the lines that the search goes along."""
    return lambda parameters, *_: parameters["lines"][name]


def _neighbors(parameters, method, setting):
    most = parameters["most_neighbors"].get(setting)
    return [k for k in _line("n_neighbors")(parameters) if most is None or k <= most]


_LINES = {
    "n_neighbors": Grid(values=_neighbors),
    "C": Grid(values=_line("C")),
    "n_iter": Grid(values=_line("n_iter")),
    "global start": "a start is one of two, and neither is an end",
}
GRIDS = {"sslsop-readings-01": _LINES, "sslsop-table-01": _LINES}
NOT_RECORDED = {
    "sslsop-table-01": "parameters of the baselines: cost, smoothness, ridge, neighbours",
    "sslsop-digits": "parameters of the simple methods",
}
