"""Table 6 in the readings that the paper leaves open: an intercept, and how words are counted.

The kernel is not open: "In m-KRR, IOKR and OFER-GSSM, kernel k was chosen linear". Equation (13)
has no intercept, and no sentence says whether the outputs were centred. Texts are "represented
using the classic TF-IDF", which takes counts or their logarithms.
`ofer_table_06` has the first of the four readings, logarithmic counts without an intercept.
"""

from functools import partial
from itertools import product

from reproduction.engine.declaration import Check, Facts
from reproduction.engine.readings import Dimension, Readings
from reproduction.engine.table import Table
from reproduction.methods.forms import On, OutputsAlone
from reproduction.methods.mean import training_mean
from reproduction.studies.text_volatility.calls import (
    ERRORS,
    PARAMETERS,
    add_constant,
    draw,
    load_part,
    weigh_counts,
)
from reproduction.studies.text_volatility.tables.ofer_table_06 import EXPERIMENT as TABLE_6

__all__ = ["CONSTANT", "EXPERIMENT", "READINGS"]

WORDS = ("logarithmic counts", "counts")
INTERCEPTS = ("no intercept", "intercept")
CONSTANT = 1e4  # the ridges here, up to 32, hardly penalise a constant feature of this square
OPEN = ("m-KRR", "IOKR", "IOKR-DTW", "IOKR-GAK", "OFER-GSSM as printed")
# These have an intercept, or no use for one.
WORDS_ONLY = ("m-KRR centred", "m-RF", "OFER-GSSM")
READINGS = Readings(
    of="ofer-table-06",
    dimensions=(
        Dimension(
            name="words",
            words="“represented using the classic TF-IDF”",
            options=WORDS,
            why="Logarithms damp the words that a long text repeats.",
        ),
        Dimension(
            name="intercept",
            words="Equation (13) has none; no sentence says whether outputs were centred.",
            options=INTERCEPTS,
            why="The equation is what is printed.",
        ),
    ),
    choices=tuple(product(WORDS, INTERCEPTS)),
    labels={method: f"{method}, {{words}}, {{intercept}}" for method in OPEN}
    | {method: f"{method}, {{words}}" for method in WORDS_ONLY},
)
# The rows of the first reading are those of Table 6.
_READINGS = {
    ", ".join(reading): reading
    for reading in product(OPEN, WORDS, INTERCEPTS)
    if reading[1:] != READINGS.choices[0]
} | {f"{method}, {WORDS[1]}": (method, WORDS[1], INTERCEPTS[0]) for method in WORDS_ONLY}


def _read(method, words, intercept):
    """A method in a reading."""
    read = OutputsAlone(TABLE_6.methods[method])
    if intercept == "intercept":
        read = On(partial(add_constant, constant=CONSTANT), read)
    return On(weigh_counts, read) if words == WORDS[1] else read


EXPERIMENT = Table(
    id="ofer-readings-volatility",
    title="Table 6 in four readings: intercept, and counts of words",
    load=TABLE_6.load,
    draw=draw,
    methods={label: _read(*reading) for label, reading in _READINGS.items()}
    | {"training mean": training_mean},
    scores=ERRORS,
    settings=TABLE_6.settings,
    n_splits=TABLE_6.n_splits,
    parameters=PARAMETERS,
    datasets=TABLE_6.datasets,
    check=Check(load=load_part),
    facts=Facts(
        test_train_ratio=TABLE_6.test_train_ratio,
        readings=(READINGS,),
        not_recorded="states, width of alignments, ridge parameters, features that trees try",
    ),
)
