"""The statements on twin Gaussian processes: quadrature against the package, and what is false."""

import numpy as np
import pytest

from ofer.companions import sharma_mittal_divergence
from reproduction.studies.second_volume.twin_processes.tables.smtgp_theory import EXPERIMENT
from reproduction.studies.second_volume.twin_processes.theory import (
    divergence_by_quadrature,
    evaluate,
)


@pytest.mark.parametrize(("alpha", "beta"), [(0.3, 0.5), (0.5, 0.99), (0.8, 1.5)])
def test_quadrature_is_the_closed_form(alpha, beta):
    p, q = (0.3, 1.2), (-0.5, 0.8)
    (m, s), (n, r) = p, q
    closed = sharma_mittal_divergence([m], [[s**2]], [n], [[r**2]], alpha, beta)
    assert divergence_by_quadrature(p, q, alpha, beta) == pytest.approx(closed, rel=1e-8)


@pytest.mark.parametrize("setting", ["toy 1", "normal samples"])
def test_exchanged_exponents_are_found(setting):
    right, printed = (
        evaluate(None, f"Lemma 4.1, integral{more}", setting, 0)["deviation"]
        for more in ("", " as printed")
    )
    assert right < 1e-9 < 0.1 < printed


def test_a_power_without_bound_is_found():
    shares = [evaluate(None, "cost (16)", s, 0)["unstable"] for s in
              ("alpha up to 0.95", "alpha 0.999", "alpha 1")]  # fmt: skip
    assert shares[0] == 0 < shares[1] < shares[2] == 1


def test_every_statement_has_a_number():
    for unit in EXPERIMENT.units(splits=[1]):
        assert np.isfinite([*evaluate(None, *unit).values()]).all(), unit
