"""Table 10 in the readings that the paper leaves open: the kernel, and an intercept.

They are those of Table 9, for the text and the captions speak of both tables: see
`ofer_readings_drugs`. The width of the Gaussian kernel is chosen without weak labels, and kept with
them.
"""

from functools import partial
from itertools import product

from reproduction.engine.declaration import Check, Facts
from reproduction.engine.readings import Readings
from reproduction.engine.scores import Grid, Score
from reproduction.engine.table import Table
from reproduction.methods.forms import On
from reproduction.methods.kernel_readings import MixtureReading
from reproduction.methods.mean import training_mean
from reproduction.methods.scores import RRMSE
from reproduction.methods.weak_as_printed import WEAK_WEIGHTS, WeakOferAsPrinted
from reproduction.methods.weak_mixtures import WeakOfer
from reproduction.methods.weak_samples import shuffled
from reproduction.studies.drug_activity.grids import N_COMPONENTS, WEAK_WEIGHT
from reproduction.studies.drug_activity.methods.weak_readings import OnGaussian, add_constant
from reproduction.studies.drug_activity.molecules import (
    OVERLAP,
    PARAMETERS,
    draw_weak,
    load_molecules,
)
from reproduction.studies.drug_activity.tables.ofer_readings_drugs import (
    ALPHAS,
    COUNTS,
    INTERCEPTS,
    KERNELS,
)
from reproduction.studies.drug_activity.tables.ofer_readings_drugs import READINGS as OF_TABLE_9

__all__ = ["CONSTANT", "EXPERIMENT", "FORMS", "READINGS"]

WIDTHS = (0.5, 1, 2, 4, 8)  # in units of the median distance
CONSTANT = 1e5
FORMS = {
    "OFER-GMM as printed": 0,
    "wOFER+100 as printed": 100,
    "wOFER+800 as printed": 800,
    "wOFER+800 as printed, shuffled": 800,
    "OFER-GMM": 0,
    "wOFER+800": 800,
    "wOFER+800 shuffled": 800,
}
SETTINGS = ("10", "20", "100")  # the other two rows would take most of the time
READINGS = Readings(
    of="ofer-table-10",
    dimensions=OF_TABLE_9.dimensions,
    choices=OF_TABLE_9.choices,
    labels={form: f"{form}, {{kernel}}, {{intercept}}" for form in FORMS},
)
# The rows of the first reading are those of Table 10 but for our forms, which have an intercept.
_READINGS = {
    ", ".join(reading): reading
    for reading in product(FORMS, KERNELS, INTERCEPTS)
    if "printed" not in reading[0] or reading[1:] != READINGS.choices[0]
}


def _read(form, kernel, intercept):
    """A method in a reading."""
    n_weak, has_intercept, alphas = FORMS[form], intercept == "intercept", (None,)
    if "printed" in form:
        method, alphas = WeakOferAsPrinted(n_weak, COUNTS, ALPHAS), ALPHAS
        if has_intercept:
            method = On(partial(add_constant, constant=CONSTANT), method)
    else:
        method = WeakOfer(n_weak, COUNTS, intercept=has_intercept)
    if kernel == "Gaussian":
        options = {"intercept": has_intercept, "widths": WIDTHS, "alphas": alphas}
        method = OnGaussian(MixtureReading(n_components=COUNTS, **options), method)
    return On(shuffled, method) if "shuffled" in form else method


EXPERIMENT = Table(
    id="ofer-readings-10",
    title="Table 10 in four readings: kernel and intercept",
    load=load_molecules,
    draw=draw_weak,
    methods={label: _read(*reading) for label, reading in _READINGS.items()}
    | {"training mean": training_mean},
    scores=(
        RRMSE,
        Score(
            "width", choice=Grid(values=lambda *_: WIDTHS, done="open: wider ones are not tried")
        ),
        N_COMPONENTS,
        WEAK_WEIGHT,
    ),
    settings=SETTINGS,
    n_splits=10,
    parameters=PARAMETERS | {"weak_weights": WEAK_WEIGHTS},
    datasets=("nci60",),
    check=Check(settings=("10",)),
    facts=Facts(
        test_train_ratio={setting: OVERLAP[setting] for setting in SETTINGS},
        readings=(READINGS,),
        not_recorded="ridge parameters",
    ),
)
