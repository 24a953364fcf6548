"""What holds for every public function of data: kinds of arrays, masks, units, company, order.

Functions are found from what the package exports. Each has an entry in `CALLS`, or a reason in
`OTHERS`.
"""

import importlib
import inspect
import re
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from ofer import blocks, companions, datasets, embeddings, kernels, metrics

PACKAGES = ("ofer", "ofer.blocks", "ofer.companions", "ofer.datasets", "ofer.distributed")
PACKAGES += ("ofer.embeddings", "ofer.kernels", "ofer.metrics", "ofer.state_space")

RNG = np.random.default_rng(0)
ROWS, OTHER_ROWS = RNG.normal(size=(7, 3)), RNG.normal(size=(5, 3))
SERIES, OTHER_SERIES = RNG.normal(size=(5, 4, 2)), RNG.normal(size=(3, 4, 2))
LABELS = np.array([0, 1, 0, 1, 1, 0, 1])
BITS, OTHER_BITS = (RNG.random(size=(n, 9)) < 0.5 for n in (6, 4))


@dataclass(frozen=True)
class Call:
    """A call of a function, and what is known of it."""

    data: tuple  # arrays, whose first axis is that of samples
    run: object
    pairwise: bool = False  # a value for each pair of a sample of the first and of the second
    unit: object = None  # with a unit: a function of unit and data; its value times `power` of it
    power: float = 0.0
    lacks: dict = field(default_factory=dict)
    refuses: dict = field(default_factory=dict)


def in_unit(function, unit, *data):
    return function(*(unit * part for part in data))


def with_width(function, unit, *data):
    return function(*(unit * part for part in data), bandwidth=unit)


CALLS = {
    kernels.dtw_distance: Call(
        (SERIES, OTHER_SERIES),
        kernels.dtw_distance,
        True,
        partial(in_unit, kernels.dtw_distance),
        1.0,
    ),
    kernels.dtw_kernel: Call(
        (SERIES, OTHER_SERIES),
        partial(kernels.dtw_kernel, bandwidth=1.0),
        True,
        partial(with_width, kernels.dtw_kernel),
    ),
    kernels.global_alignment_kernel: Call(
        (SERIES, OTHER_SERIES),
        partial(kernels.global_alignment_kernel, bandwidth=1.0),
        True,
        partial(with_width, kernels.global_alignment_kernel),
    ),
    kernels.gak_bandwidth: Call(
        (SERIES,), kernels.gak_bandwidth, unit=partial(in_unit, kernels.gak_bandwidth), power=1.0
    ),
    kernels.median_bandwidth: Call(
        (ROWS,), kernels.median_bandwidth, unit=partial(in_unit, kernels.median_bandwidth), power=1
    ),
    kernels.median_gamma: Call(
        (ROWS,), kernels.median_gamma, unit=partial(in_unit, kernels.median_gamma), power=-2.0
    ),
    kernels.tanimoto_kernel: Call(
        (BITS.astype(float), OTHER_BITS.astype(float)),
        kernels.tanimoto_kernel,
        True,
        partial(in_unit, kernels.tanimoto_kernel),
    ),
    metrics.rrmse: Call(
        (ROWS, ROWS + RNG.normal(size=ROWS.shape)),
        metrics.rrmse,
        unit=partial(in_unit, metrics.rrmse),
        lacks={"permutation": "a pair of outputs stays a pair"},
    ),
    metrics.arrmse: Call(
        (ROWS, ROWS + RNG.normal(size=ROWS.shape)),
        metrics.arrmse,
        unit=partial(in_unit, metrics.arrmse),
        lacks={"permutation": "a pair of outputs stays a pair"},
    ),
    companions.nca_objective: Call(
        (ROWS,),
        lambda G: companions.nca_objective(G, np.ones(3), LABELS)[0],
        unit=lambda unit, G: companions.nca_objective(unit * G, np.ones(3) / unit, LABELS)[0],
        lacks={"permutation": "each sample has its label"},
    ),
    companions.sharma_mittal_divergence: Call(
        (ROWS[0], ROWS[1]),
        lambda p, q: companions.sharma_mittal_divergence(p, np.eye(3), q, 2 * np.eye(3), 0.5, 0.7),
        unit=lambda unit, p, q: companions.sharma_mittal_divergence(
            unit * p, unit**2 * np.eye(3), unit * q, 2 * unit**2 * np.eye(3), 0.5, 0.7
        ),
        lacks={"permutation": "a mean is no set of samples", "frames": "a mean is no frame"},
    ),
    embeddings.project_simplex: Call((ROWS,), embeddings.project_simplex),
}
OTHERS = {
    blocks.as_block_regressor: "of an estimator",
    blocks.left_out: "of a fitted estimator",
    blocks.predict_blocks: "of fitted estimators; see test_estimators.py",
    datasets.assemble_digits: "puts pictures together, pixel by pixel",
    datasets.load_digits_reconstruction: "reads what scikit-learn has",
    embeddings.full_precisions: "of parameters of a fitted mixture",
    metrics.flat_scorer: "of the name of a score",
}


def exported():
    for package in PACKAGES:
        module = (
            pytest.importorskip(package) if "dist" in package else importlib.import_module(package)
        )
        for name in module.__all__:
            if inspect.isfunction(one := getattr(module, name)) and package != "ofer.distributed":
                yield one


def test_every_public_function_is_here():
    assert {one.__name__ for one in exported()} == {one.__name__ for one in (*CALLS, *OTHERS)}


def having(name):
    chosen = [one for one, call in CALLS.items() if name not in call.lacks]
    return pytest.mark.parametrize("function", chosen, ids=lambda one: one.__name__)


def frames(A):
    return pd.DataFrame(A) if A.ndim == 2 else [pd.DataFrame(one) for one in A]


KINDS = {
    "float32": lambda A: A.astype(np.float32),
    "Fortran order": np.asfortranarray,
    "lists": lambda A: A.tolist(),
    "objects": lambda A: A.astype(object),
    "frames": frames,
}


@pytest.mark.parametrize("kind", [*KINDS, "read-only"])
@having("kinds")
def test_kinds_of_arrays(function, kind):
    call = CALLS[function]
    if kind in call.lacks:
        pytest.skip(call.lacks[kind])
    data = [part.copy() for part in call.data]
    for part in data:
        part.flags.writeable = kind != "read-only"
    data = [KINDS[kind](part) for part in data] if kind in KINDS else data
    if kind in call.refuses:
        with pytest.raises((ValueError, TypeError), match="must"):
            call.run(*data)
        return
    found = call.run(*data)
    assert_allclose(found, call.run(*call.data), rtol=1e-5 if kind == "float32" else 1e-12)


@pytest.mark.parametrize("kind", [np.float16, np.float32])
@having("kinds")
def test_what_a_short_type_holds_is_taken_with_all_digits(function, kind):
    call = CALLS[function]
    short = [np.rint(2000 + 4 * np.asarray(part)).astype(kind) for part in call.data]
    exact = [part.astype(np.float64) for part in short]
    assert_allclose(call.run(*short), call.run(*exact), rtol=1e-12)


@having("kinds")
def test_sparse_inputs_are_refused_or_added_up(function):
    call = CALLS[function]
    if any(part.ndim != 2 for part in call.data):
        return
    whole = [sparse.csr_array(part) for part in call.data]
    parts = [
        sparse.csr_array((np.repeat(A.data, 2) / 2, np.repeat(A.indices, 2), 2 * A.indptr), A.shape)
        for A in whole
    ]
    try:
        found = call.run(*parts)
    except (TypeError, ValueError) as error:
        assert re.search("must|[Ss]parse|dense", str(error)), error  # noqa: PT017
    else:
        assert_allclose(found, call.run(*call.data), rtol=1e-12)


@having("masks")
def test_masks_and_what_is_no_number_are_refused(function):
    call = CALLS[function]
    for place in range(len(call.data)):
        for hide in (hidden, hidden_rows, with_nan, dates):
            data = list(call.data)
            data[place] = hide(data[place])
            with pytest.raises((ValueError, TypeError)):
                call.run(*data)
            if hide is hidden:
                with pytest.raises(ValueError, match="must have no masked entries"):
                    call.run(*data)


def hidden(A):
    mask = np.zeros(A.shape, dtype=bool)
    mask.flat[1] = True
    return np.ma.masked_array(A, mask)


def hidden_rows(A):
    return list(hidden(A))


def with_nan(A):
    return hidden(A).filled(np.nan)


def dates(A):
    return (1e3 * np.abs(A)).astype("datetime64[s]")


@having("masks")
def test_a_mask_that_hides_nothing_is_none(function):
    call = CALLS[function]
    data = [np.ma.masked_array(part, False) for part in call.data]
    assert_allclose(call.run(*data), call.run(*call.data), rtol=1e-12)


@pytest.mark.parametrize("unit", [1e-12, 1e-9, 1e9, 1e12])
@having("units")
def test_units(function, unit):
    call = CALLS[function]
    if call.unit is not None:
        expected = unit**call.power * np.asarray(call.run(*call.data))
        assert_allclose(call.unit(unit, *call.data), expected, rtol=1e-9, atol=0)


@having("company")
def test_a_sample_alone_is_a_sample_in_company(function):
    call = CALLS[function]
    if not call.pairwise:
        return
    X, Z = call.data
    whole = call.run(X, Z)
    for i in range(len(X)):
        assert_allclose(call.run(X[[i]], Z), whole[[i]], rtol=1e-12)
        assert_allclose(call.run(Z, X[[i]]), whole[[i]].T, rtol=1e-12)
    for far in (1e6, 1e12):
        among = np.concatenate([X, np.full_like(X[:1], far)])
        assert_allclose(call.run(among, Z)[:-1], whole, rtol=1e-12)
        assert_allclose(call.run(Z, among)[:, :-1], whole.T, rtol=1e-12)


@having("permutation")
def test_the_order_of_samples(function):
    call = CALLS[function]
    orders = [np.random.default_rng(1).permutation(len(part)) for part in call.data]
    found = np.asarray(call.run(*(A[order] for A, order in zip(call.data, orders, strict=True))))
    expected = np.asarray(call.run(*call.data))
    if call.pairwise:
        expected = expected[np.ix_(*orders)]
    elif expected.ndim:
        expected = expected[orders[0]]
    assert_allclose(found, expected, rtol=1e-12)
