import pytest

from reproduction.claims import ORIGINS, read_claims
from reproduction.claims.origins import data_origin, thinning
from reproduction.claims.overlap import overlap
from reproduction.engine import get_experiment, list_experiments, load


@pytest.mark.parametrize(
    ("id", "parameters", "part"),
    [
        (
            "fkl-table-01",
            {"max_iter": 30, "learner_max_iter": 20},
            "the public half of the letters, maximum likelihood stopped after 30 iterations, "
            "learning after 20",
        ),
        (
            "smtgp-table-02",
            {"n_select": 1200, "n_tested": 500},
            "points in the place of joint angles of Poser; parameters chosen on 1200 of 4649",
        ),
        (
            "fkl-table-04",
            {"max_iter": 50, "learner_max_iter": 30},
            "maximum likelihood stopped after 50 iterations, learning after 30",
        ),
        ("smtgp-table-03", {"n_test": 500}, "500 test inputs at most"),
        ("ofer-table-09", {}, ""),
    ],
)
def test_a_part_of_the_data_is_named(id, parameters, part):
    sidecar = {"data": {"usps": {}}, "parameters": parameters}
    assert thinning(id, sidecar).startswith(part)
    assert data_origin(id, sidecar) == ("thinned" if part else "faithful")


def test_only_the_rows_that_count_are_named():
    sidecar = {"data": {"usps": {}}, "parameters": {"n_select": 1200, "n_tested": 500}}
    assert "USPS" not in thinning("smtgp-table-02", sidecar, ["toy 1", "Poser"])
    assert "Poser" not in thinning("smtgp-table-02", sidecar, ["USPS"])
    assert data_origin("smtgp-table-02", sidecar, ["USPS"]) == "thinned"


def test_folds_that_are_left_out_are_named():
    sidecar = {"data": {"cora": {}}, "n_splits": 10, "splits_of": {"whole sentences": 3}}
    assert thinning("sslsop-table-01", sidecar) == "whole sentences in 3 of 10 folds"
    assert data_origin("sslsop-table-01", sidecar) == "substitute"
    assert thinning("sslsop-sensitivity", {"n_splits": 3}) == "3 of 10 folds"
    assert thinning("sslsop-sensitivity", {"n_splits": 10}) == ""


def test_a_substitute_is_one_whatever_else_there_is():
    sidecar = {
        "data": {"usps": {}, "nci60": {}},
        "parameters": {"max_iter": 30, "learner_max_iter": 20},
    }
    assert data_origin("fkl-table-02", sidecar) == "substitute"
    assert data_origin("toy", {}) == "generated"


def test_the_stored_tables():
    for claim in read_claims():
        if id := claim.arguments.get("table"):
            assert data_origin(id, load(id)[1]) in ORIGINS


def test_overlap_is_known_for_every_row():
    """Of tables with real data or fixed samples, each row has a ratio, or a single split."""
    for id in list_experiments():
        if overlap(id, get_experiment(id).settings[0]) is None:
            continue
        for setting in get_experiment(id).settings:
            ratio = overlap(id, setting)
            assert ratio is None or 0 < ratio < 200, (id, setting)


def test_overlap_by_hand():
    assert overlap("ofer-table-11", "5") == pytest.approx(5472 / 505)
    assert overlap("ofer-table-03", "4-GMM 50") == 4.0
    assert overlap("ofer-table-05", "100") is None  # series are drawn anew
    assert overlap("smtgp-table-02", "toy 1") is None
