import pytest

from reproduction.claims.origins import data_origin, thinning
from reproduction.engine import Facts, get_experiment


def test_origin_follows_from_the_data_and_from_what_is_declared(toy):
    assert data_origin(toy()) == "generated"
    assert data_origin(toy(datasets=("usps",))) == "faithful"
    assert data_origin(toy(datasets=("usps", "nci60"))) == "substitute"
    part = toy(datasets=("usps",), facts=Facts(thinned={"20": "half of it", "100": "a tenth"}))
    assert data_origin(part) == "thinned"
    assert thinning(part) == "half of it; a tenth"
    assert thinning(part, ["10", "20"]) == "half of it"
    assert data_origin(part, ["10"]) == "faithful"


@pytest.mark.parametrize(
    ("id", "settings", "origin", "part"),
    [
        (
            "fkl-table-01",
            [],
            "thinned",
            "the public half of the letters, maximum likelihood stopped after 30 iterations, "
            "learning after 20",
        ),
        ("smtgp-table-02", ["toy 1", "Poser"], "thinned", "points in the place of joint angles"),
        ("smtgp-table-02", ["toy 1"], "generated", ""),
        ("smtgp-table-03", [], "thinned", "500 test inputs at most"),
        ("sslsop-table-01", [], "substitute", "whole sentences in 3 of 10 folds"),
        ("sslsop-sensitivity", [], "substitute", "3 of 10 folds"),
        ("ofer-table-09", [], "substitute", ""),
    ],
)
def test_a_part_of_the_data_is_named(id, settings, origin, part):
    experiment = get_experiment(id)
    assert thinning(experiment, settings).startswith(part)
    assert bool(thinning(experiment, settings)) == bool(part)
    assert data_origin(experiment, settings) == origin


def test_overlap_by_hand():
    ratio = {id: get_experiment(f"{id}").test_train_ratio for id in (
        "ofer-table-03", "ofer-table-05", "ofer-table-11", "smtgp-table-02"
    )}  # fmt: skip
    assert ratio["ofer-table-11"]["5"] == pytest.approx(5472 / 505)
    assert ratio["ofer-table-03"]["4-GMM 50"] == 4.0
    assert ratio["ofer-table-05"] == {}  # series are drawn anew
    assert "toy 1" not in ratio["smtgp-table-02"]
