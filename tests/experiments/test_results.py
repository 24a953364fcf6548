"""A change in the code that moves a stored number cannot pass unseen."""

import pytest
from pandas.testing import assert_frame_equal

from ofer.datasets import unavailable_reason
from ofer.experiments import get_experiment, is_stale, list_experiments, load, run


@pytest.mark.parametrize("id", list_experiments())
def test_stored_results_are_fresh(id):
    assert is_stale(get_experiment(id)) is None, "run `make results`"


@pytest.mark.parametrize("id", list_experiments())
def test_stored_results_are_what_the_code_gives(id):
    experiment = get_experiment(id)
    stored, _ = load(id)
    for name in experiment.datasets:
        if reason := unavailable_reason(name):
            pytest.skip(reason)
    part = {
        "methods": experiment.check_methods,
        "settings": experiment.check_settings,
        "splits": experiment.check_splits,
    }
    computed = run(experiment, **part, progress=False)
    units = ["method", "setting", "split"]
    wanted = stored.merge(computed[units].drop_duplicates(), on=units)
    computed, wanted = (
        frame[~frame["metric"].isin(experiment.timings)].reset_index(drop=True)
        for frame in (computed, wanted)
    )
    assert_frame_equal(computed, wanted, rtol=experiment.rtol, atol=0)
