"""Table 6: from text to a short time series of volatility (section 6.3)."""

from reproduction.datasets.texts.maec_volatility import fetch_maec_volatility
from reproduction.engine.declaration import Check, Facts
from reproduction.engine.scores import Grid, Score
from reproduction.engine.table import Table
from reproduction.methods.forest import Forest
from reproduction.methods.forms import On
from reproduction.methods.mean import training_mean
from reproduction.methods.ridge import centred_ridge
from reproduction.studies.text_volatility import methods
from reproduction.studies.text_volatility.calls import (
    ERRORS,
    PARAMETERS,
    RELATIVE_ERRORS,
    dense_words,
    draw,
    load_part,
)

__all__ = ["EXPERIMENT"]


def _as_steps(cell):
    """A printed year is a step of our series."""
    step = "global" if cell.setting == "Global" else f"step {int(cell.setting) - 2000}"
    return cell._replace(setting="calls", metric=f"{cell.metric} {step}")


EXPERIMENT = Table(
    id="ofer-table-06",
    title="Table 6: from text to a time series of volatility",
    load=fetch_maec_volatility,
    draw=draw,
    methods={
        "mean": training_mean,
        "past volatility": methods.past,
        "past and text": methods.past_and_text,
        "m-KRR": methods.ridge_as_printed,
        "m-KRR centred": centred_ridge,
        "m-RF": On(dense_words, Forest(100, max_features=("sqrt", 0.05))),
        "IOKR": methods.SeriesIokr(methods.gaussian_grams),
        "IOKR-DTW": methods.SeriesIokr(methods.warping_grams),
        "IOKR-GAK": methods.SeriesIokr(methods.alignment_grams),
        "OFER-GSSM as printed": methods.ofer_as_printed,
        "OFER-GSSM": methods.ofer,
    },
    scores=(
        *ERRORS,
        *RELATIVE_ERRORS,
        Score(
            "n_states", low=1, whole=True, choice=Grid(values=lambda *_: (1, 2), natural={"low": 1})
        ),
    ),
    settings=("calls",),
    n_splits=PARAMETERS["n_folds"],
    parameters=PARAMETERS,
    datasets=("maec_volatility",),
    check=Check(load=load_part),
    facts=Facts(
        test_train_ratio={"calls": 1 / (PARAMETERS["n_folds"] - 1)},
        printed={"ofer-table-06": _as_steps},
        not_recorded="width of alignments, ridge parameters, features that trees try",
    ),
)
