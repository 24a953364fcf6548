"""Table 8: weak labels on apparent personality traits (section 6.4.1)."""

from functools import partial

from reproduction.engine.declaration import Check, Facts
from reproduction.engine.scores import Grid, Score
from reproduction.engine.table import Table
from reproduction.methods.forms import On
from reproduction.methods.mean import training_mean
from reproduction.methods.ridge import centred_ridge, known_outputs
from reproduction.methods.scores import ARRMSE, RRMSE
from reproduction.methods.weak_as_printed import WEAK_WEIGHTS, WeakOferAsPrinted
from reproduction.methods.weak_mixtures import (
    ImputedRidge,
    WeakOfer,
    WithTwoComponents,
)
from reproduction.methods.weak_samples import shuffled
from reproduction.studies.personality_traits import clips
from reproduction.studies.personality_traits.clips import (
    OVERLAP,
    SETTINGS,
    draw_counts,
    gaussian,
    load_clips,
)
from reproduction.studies.personality_traits.grids import N_COMPONENTS
from reproduction.studies.personality_traits.tables.ofer_table_07 import ALPHAS, COUNTS, EM

__all__ = ["EXPERIMENT"]

N_WEAK = {"OFER-GMM": 0, "wOFER+644": 644, "wOFER+1288": 1288, "wOFER+2500": 2500}
_OURS = {
    label: WithTwoComponents(WeakOfer(n_weak, COUNTS, em=EM)) for label, n_weak in N_WEAK.items()
}
_PRINTED = {
    label: WeakOferAsPrinted(n_weak, COUNTS, ALPHAS, em=EM) for label, n_weak in N_WEAK.items()
}


def _on(n_weak, method):
    """A method with so many weak clips."""
    return On(partial(gaussian, n_weak=n_weak), method)


_METHODS = {
    "mean": training_mean,
    "m-KRR centred": On(gaussian, centred_ridge),
    **{label: _on(N_WEAK[label], method) for label, method in _OURS.items()},
    "m-KRR imputed+2500": _on(2500, WithTwoComponents(ImputedRidge(2500, COUNTS, em=EM))),
    "m-KRR known+2500": _on(2500, known_outputs),
    "wOFER+2500 shuffled": _on(2500, On(shuffled, _OURS["wOFER+2500"])),
    **{f"{label} as printed": _on(N_WEAK[label], method) for label, method in _PRINTED.items()},
    "wOFER+2500 as printed, shuffled": _on(2500, On(shuffled, _PRINTED["wOFER+2500"])),
}
EXPERIMENT = Table(
    id="ofer-table-08",
    title="Table 8: apparent personality traits with weak labels",
    load=load_clips,
    draw=draw_counts,
    methods=_METHODS,
    scores=(
        RRMSE,
        ARRMSE,
        N_COMPONENTS,
        Score("rrmse of two components"),
        Score("weak_weight", choice=Grid(values=lambda parameters, *_: parameters["weak_weights"])),
    ),
    settings=SETTINGS,
    n_splits=10,
    parameters=clips.PARAMETERS | {"weak_weights": WEAK_WEIGHTS},
    datasets=("first_impressions",),
    check=Check(settings=("1",), methods=("mean", *(name for name in _METHODS if "OFER" in name))),
    facts=Facts(test_train_ratio=OVERLAP, not_recorded="ridge parameters"),
)
