"""What holds for every estimator: scikit-learn's checks, and the conventions of this package.

Each property is tried on small generated problems, for each entry of `estimators.ENTRIES`.
"""

import inspect
import pickle
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy import sparse
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_param_validation, estimator_checks_generator
from sklearn.utils.validation import has_fit_parameter

import ofer
from ofer import companions
from ofer.utils.estimators import part_of
from tests.ofer.estimators import ENTRIES, rows

pytestmark = pytest.mark.filterwarnings("ignore")
PROBLEMS = 2  # generated for each entry
KINDS = "float32", "read-only", "Fortran order", "memory maps", "objects"  # of arrays
FRAMES = "frames", "polars", "pyarrow"
PARTS = "CSR in parts", "CSC in parts", "COO in parts"  # of entries, which add up
SPARSE = "sparse", "coo", "bsr", "dia", *PARTS
ONCE = *KINDS, *FRAMES, *SPARSE  # changes that no number decides
LEARNED = 1e-3  # tolerance of fitted attributes: scores of a perfect fit are roundoff


def test_every_public_estimator_has_an_entry():
    packages = (ofer, ofer.embeddings, companions)
    public = [getattr(package, name) for package in packages for name in package.__all__]
    estimators = {
        one
        for one in public
        if inspect.isclass(one) and issubclass(one, BaseEstimator) and hasattr(one, "fit")
        if not inspect.isabstract(one) and not issubclass(one, companions.OutputSpace)
    }
    tried = {type(entry.estimator) for entry in ENTRIES}
    assert estimators == tried, "tests/ofer/estimators.py must have an entry of each"


def checks_of_scikit_learn():
    """Of each entry. Named by it, as to print an estimator takes longer than many a check."""
    for entry in ENTRIES:
        for estimator, check in estimator_checks_generator(entry.estimator) if entry.checks else ():
            options = [f"{name}={value}" for name, value in check.keywords.items()]
            id = "-".join([entry.name, check.func.__name__, *options])
            yield pytest.param(entry, estimator, check, id=id)


@pytest.mark.parametrize(("entry", "estimator", "check"), [*checks_of_scikit_learn()])
def test_checks_of_scikit_learn(entry, estimator, check):
    reason = entry.failing.get(check.func.__name__)
    if reason is None:
        check(estimator)
    else:  # not by a mark: pytest takes longer to draw a failure than the check
        with pytest.raises((AssertionError, AttributeError, ValueError)):
            check(estimator)
        pytest.xfail(reason)


@pytest.mark.parametrize("cls", sorted({type(entry.estimator) for entry in ENTRIES}, key=str))
def test_values_of_parameters_are_checked(cls):
    """Each of them: the message names it and what it must be."""
    estimator = next(entry.estimator for entry in ENTRIES if type(entry.estimator) is cls)
    check_param_validation(cls.__name__, estimator)


# How answers are compared


@cache
def fitted(entry, number):
    """A problem, a model of it, and its answers: they are shared and stay as they are."""
    problem = entry.generate(np.random.default_rng([number, len(entry.name)]))
    model = entry.fit(problem)
    return problem, model, entry.ask(model, problem.queries)


def flat(answers):
    """All numbers of answers, one after the other."""
    parts = [answers] if isinstance(answers, np.ndarray) else answers
    return np.concatenate([np.ravel(one) for one in parts]).astype(float)


def by_column(answers):
    """Numbers of each column of answers, whose last axis is that of the columns."""
    parts = [np.moveaxis(np.asarray(one), -1, 0) for one in map(np.atleast_2d, answers)]
    return np.concatenate([one.reshape(len(one), -1) for one in parts], axis=1)


def assert_close(found, expected, tolerance):
    """Numbers differ by no more than a part of the largest."""
    found, expected = flat(found), flat(expected)
    np.testing.assert_array_equal(np.isfinite(found), np.isfinite(expected))
    there = np.isfinite(expected)
    largest = np.abs(expected[there]).max(initial=1e-300)
    np.testing.assert_allclose(found[there], expected[there], rtol=0, atol=tolerance * largest)


def assert_same_answers(entry, found, expected):
    assert_close(found, expected, entry.tolerance)


# Changes of a problem: (entry, problem, rng) -> changed problem, and what becomes of answers;
# None instead if they need only be finite


def same(answers):
    return answers


def each(function, data):
    """A function of an array, applied to one or to each of a list."""
    return [function(one) for one in data] if isinstance(data, list) else function(data)


def of_inputs(function):
    """A function of all inputs changes answers that are in their space."""

    def change(entry, problem, rng):
        chosen = function(rng, np.shape(problem.inputs[0])[-1])
        inputs, queries = each(chosen, problem.inputs), each(chosen, problem.queries)
        changed = replace(problem, inputs=inputs, queries=queries)
        return changed, chosen if entry.answers == "inputs" else same

    return change


def of_outputs(function):
    def change(entry, problem, rng):
        chosen = function(rng, problem.outputs.shape[-1])
        return replace(problem, outputs=chosen(problem.outputs)), chosen

    return change


def times(factor):
    return lambda A: A * factor


def shift(rng, d):
    offset = 100.0 * rng.normal(size=d)
    return lambda A: A + offset


def unit(rng, d):
    return times(10.0 ** rng.choice([-12, -9, 9, 12]))


def units(rng, d):
    return times(10.0 ** rng.permutation(np.linspace(-4, 4, d)))


def order(rng, d):
    chosen = rng.permutation(d)
    return lambda A: A[..., chosen]


def samples(problem, chosen):
    outputs = None if problem.outputs is None else rows(problem.outputs, chosen)
    return replace(problem, inputs=rows(problem.inputs, chosen), outputs=outputs)


def permute_samples(entry, problem, rng):
    return samples(problem, rng.permutation(len(problem.inputs))), same


def duplicate_samples(entry, problem, rng):
    n = len(problem.inputs)
    return samples(problem, np.r_[np.arange(n), rng.integers(n, size=n)]), None


def equal_inputs(entry, problem, rng):
    return replace(problem, inputs=rows(problem.inputs, np.zeros(len(problem.inputs), int))), None


def with_inputs(function, finite=False):
    """The same answers, or finite ones, for inputs of which each array is changed alike."""

    def change(entry, problem, rng):
        inputs, queries = each(function, problem.inputs), each(function, problem.queries)
        return replace(problem, inputs=inputs, queries=queries), None if finite else same

    return change


def with_outputs(function):
    def change(entry, problem, rng):
        return replace(problem, outputs=function(problem.outputs)), None

    return change


def with_all(function):
    """The same, for inputs and numeric outputs."""

    def change(entry, problem, rng):
        changed, _ = with_inputs(function)(entry, problem, rng)
        if numeric(problem.outputs):
            changed = replace(changed, outputs=function(problem.outputs))
        return changed, same

    return change


def locked(A):
    A = A.copy()
    A.flags.writeable = False
    return A


def frame(A):
    if A.ndim == 3:
        return [frame(one) for one in A]
    return pd.DataFrame(A, columns=[f"column {j}" for j in range(A.shape[1])])


def mapped(A):
    """The same numbers in a file that is only read."""
    with tempfile.NamedTemporaryFile() as file:
        A.tofile(file)
        return np.memmap(file.name, dtype=A.dtype, mode="r", shape=A.shape)


def polars_frame(A):
    polars = pytest.importorskip("polars")
    if A.ndim == 3:
        return [polars_frame(one) for one in A]
    return polars.DataFrame({f"column {j}": column for j, column in enumerate(A.T)})


def pyarrow_table(A):
    pyarrow = pytest.importorskip("pyarrow")
    if A.ndim == 3:
        return [pyarrow_table(one) for one in A]
    return pyarrow.table({f"column {j}": column for j, column in enumerate(A.T)})


def constant(A):
    """One more column, which is 7 everywhere."""
    return np.concatenate([A, np.full((*A.shape[:-1], 1), 7.0)], axis=-1)


def constant_feature(entry, problem, rng):
    in_space = entry.answers in ("inputs", "features")
    return with_inputs(constant, finite=in_space)(entry, problem, rng)


def wide(A):
    """More features than samples."""
    more = np.random.default_rng(len(A)).normal(size=(*A.shape[:-1], 30))
    return np.concatenate([A, more], axis=-1)


def in_parts(kind):
    """Makers of the same matrix, in which entries have four parts that add up."""

    def make(A):
        i, j = np.tile(np.indices(A.shape).reshape(2, -1), 4)
        data = np.concatenate(
            [0.25 * A.ravel(), np.ones(A.size), 0.75 * A.ravel(), -np.ones(A.size)]
        )
        if kind == "coo":
            return sparse.coo_array((data, (i, j)), shape=A.shape)
        major, minor, n = (i, j, len(A)) if kind == "csr" else (j, i, A.shape[1])
        order = np.argsort(major, kind="stable")
        parts = data[order], minor[order], np.searchsorted(major[order], np.arange(n + 1))
        return {"csr": sparse.csr_matrix, "csc": sparse.csc_array}[kind](parts, shape=A.shape)

    return make


CHANGES = {
    "shift inputs": of_inputs(shift),
    "inputs in a unit": of_inputs(unit),
    "inputs, units of their own": of_inputs(units),
    "permute features": of_inputs(order),
    "shift outputs": of_outputs(shift),
    "outputs in a unit": of_outputs(unit),
    "outputs, units of their own": of_outputs(units),
    "permute outputs": of_outputs(order),
    "permute samples": permute_samples,
    "duplicate samples": duplicate_samples,
    "equal inputs": equal_inputs,
    "constant feature": constant_feature,
    "constant output": with_outputs(constant),
    "n < d": with_inputs(wide, finite=True),
    "huge inputs": with_inputs(times(1e100), finite=True),
    "tiny inputs": with_inputs(times(1e-200), finite=True),
    "huge outputs": with_outputs(times(1e100)),
    "tiny outputs": with_outputs(times(1e-200)),
    "float32": with_all(lambda A: A.astype(np.float32)),
    "read-only": with_all(locked),
    "frames": with_all(frame),
    "sparse": with_inputs(sparse.csr_array),
    "Fortran order": with_all(np.asfortranarray),
    "memory maps": with_all(mapped),
    "objects": with_all(lambda A: A.astype(object)),
    "polars": with_all(polars_frame),
    "pyarrow": with_all(pyarrow_table),
    "coo": with_inputs(sparse.coo_array),
    "bsr": with_inputs(sparse.bsr_matrix),
    "dia": with_inputs(sparse.dia_array),
    "CSR in parts": with_inputs(in_parts("csr")),
    "CSC in parts": with_inputs(in_parts("csc")),
    "COO in parts": with_inputs(in_parts("coo")),
}


def numeric(data):
    return isinstance(data, np.ndarray) and data.dtype.kind == "f"


def is_matrix(data):
    return getattr(data, "ndim", 0) == 2


def applies(entry, name):
    """Whether a problem has what the change is about."""
    problem = entry.generate(np.random.default_rng(0))
    if "output" in name:
        return numeric(problem.outputs)
    if name == "inputs, units of their own":
        return entry.answers == "inputs"
    if name in FRAMES and getattr(problem.inputs, "ndim", 2) > 2:
        return name == "frames"
    lists = name == "sparse" and isinstance(problem.inputs, list)
    return name not in SPARSE or is_matrix(problem.inputs) or lists


TRIED = [entry for entry in ENTRIES if entry.generate]


def tried(*names):
    """Pairs of an entry and a change, but for those for which the entry says why not."""
    pairs = [(entry, name) for entry in TRIED for name in names]
    return pytest.mark.parametrize(
        ("entry", "name"),
        [pair for pair in pairs if pair[1] not in pair[0].lacks and applies(*pair)],
        ids=str,
    )


def having(name, applies=lambda entry, problem: True):
    """The entries that have a property."""
    found = [entry for entry in TRIED if name not in entry.lacks]
    generator = np.random.default_rng(0)
    chosen = [entry for entry in found if applies(entry, entry.generate(generator))]
    return pytest.mark.parametrize("entry", chosen, ids=str)


each_problem = pytest.mark.parametrize("number", range(PROBLEMS))


def error_that_names(entry, error):
    """Whether the message names an argument of `fit`, in either case of letters."""
    arguments = "|".join((*entry.names, "sample_weight"))
    return re.search(rf"\b({arguments})\b", str(error), re.IGNORECASE)


@tried(*CHANGES)
def test_changes_that_change_nothing_else(entry, name):
    for number in range(1 if name in ONCE else PROBLEMS):
        problem, _, before = fitted(entry, number)
        changed, expected = CHANGES[name](entry, problem, np.random.default_rng(number))
        if name in entry.refuses:
            with pytest.raises((ValueError, TypeError)) as caught:
                entry.fit(changed)
            assert error_that_names(entry, caught.value), caught.value
            continue
        after = entry.ask(entry.fit(changed), changed.queries)
        if expected is None:
            assert np.isfinite(flat(after)).all()
        elif "unit" in name and entry.answers in ("inputs", "outputs"):
            pairs = zip(by_column(after), by_column(each(expected, before)), strict=True)
            for found, column in pairs:
                assert_same_answers(entry, found, column)
        else:
            assert_same_answers(entry, after, each(expected, before))


@pytest.mark.parametrize(("kind", "start"), [(np.float16, 2000), (np.float32, 10_000_000)])
@having("short types")
def test_what_a_short_type_holds_is_taken_with_all_digits(entry, kind, start):
    problem, _, _ = fitted(entry, 0)

    def change(A):
        return np.rint(start + 8 * A).astype(kind)

    changed, _ = with_all(change)(entry, problem, None)
    exact, _ = with_all(lambda A: change(A).astype(np.float64))(entry, problem, None)
    expected = entry.ask(entry.fit(exact), exact.queries)
    assert_close(entry.ask(entry.fit(changed), changed.queries), expected, 1e-12)


BAD = {
    f"{word} in {part}": (part, value)
    for part in ("inputs", "outputs", "queries")
    for word, value in (("NaN", np.nan), ("infinity", np.inf), ("1e200", 1e200))
}


def spoiled(data, value, rng):
    """A copy with a value in the place of one entry."""
    data = deepcopy(data)
    one = data[rng.integers(len(data))] if isinstance(data, list) else data
    one[tuple(rng.integers(size) for size in one.shape)] = value
    return data


@tried(*BAD)
def test_what_no_model_can_use_is_an_error_that_names_it(entry, name):
    part, value = BAD[name]
    problem, model, _ = fitted(entry, 0)
    spoilt = spoiled(getattr(problem, part), value, np.random.default_rng(0))
    problem = replace(problem, **{part: spoilt})
    with pytest.raises((ValueError, TypeError)) as caught:
        entry.ask(model if part == "queries" else entry.fit(problem), problem.queries)
    assert error_that_names(entry, caught.value), caught.value


def numeric_outputs(entry, problem):
    return numeric(problem.outputs)


@having("ragged outputs", numeric_outputs)
def test_ragged_outputs_are_named(entry):
    problem, _, _ = fitted(entry, 0)
    ragged = [[1.0], *([1.0, 2.0] for _ in problem.outputs[1:])]
    for outputs in (ragged, np.array(ragged, dtype=object)):
        with pytest.raises(ValueError, match=r"^[yY] must have rows of one shape"):
            entry.fit(replace(problem, outputs=outputs))


def columns(entry, problem):
    return not isinstance(problem.inputs, np.ndarray) or problem.inputs.ndim == 2


@having("names of features", columns)
def test_features_are_known_by_their_names(entry):
    problem, _, _ = fitted(entry, 0)
    frames, _ = CHANGES["frames"](entry, problem, None)
    model = entry.fit(frames)
    with pytest.raises(ValueError, match="feature names should match"):
        entry.ask(model, each(lambda one: one[one.columns[::-1]], frames.queries))


REGRESSORS = (
    ofer.OutputFisherRegressor(),
    ofer.OutputFisherRegressor(ofer.GaussianEmbedding()),
    ofer.OutputFisherRegressorCV(),
    ofer.InputOutputKernelRegressor(),
    ofer.FullConformalRegressor(),
    ofer.FullConformalRegressor(selection="inside"),
    ofer.JackknifePlus(),
    ofer.JackknifePlus(ofer.OutputFisherRegressor()),
    ofer.KernelRidgeCV(),
    ofer.NystroemRidgeCV(),
    companions.TwinGaussianProcess(),
    companions.TwinGaussianProcessCV(alphas=[0.0], cv=2),
)


@pytest.mark.parametrize("estimator", REGRESSORS, ids=repr)
@pytest.mark.parametrize("constant", [0.0, 7.0, 0.1 + 0.2])
@pytest.mark.parametrize("shape", [(), (1,), (3,)])
def test_constant_outputs_are_predicted(estimator, constant, shape):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20, 2)), np.full((20, *shape), constant)
    predicted = clone(estimator).fit(X, y).predict(X[:3])
    np.testing.assert_allclose(predicted, y[:3], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    "estimator",
    [
        ofer.KernelRidgeCV(scoring="accuracy"),
        ofer.KernelRidgeCV(scoring="accuracy", alpha_per_target=True),
        ofer.OutputFisherRegressor(regressor=ofer.KernelRidgeCV(scoring="accuracy")),
        ofer.OutputFisherRegressorCV(regressor=ofer.KernelRidgeCV(scoring="accuracy")),
        ofer.JackknifePlus(ofer.KernelRidgeCV(scoring="accuracy")),
        companions.TwinGaussianProcessCV(scoring="accuracy", cv=2),
    ],
    ids=repr,
)
def test_a_score_of_classes_is_refused(estimator):
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match=r"scoring must suit the outputs.*; got 'accuracy'"):
        estimator.fit(rng.normal(size=(20, 2)), rng.normal(size=(20, 2)))


# Missing entries, however they are marked


def spots(data, rng):
    """Where some entries are: one in five, but never a whole row."""
    chosen = rng.random(np.shape(data)) < 0.2
    chosen[..., 0] = False
    chosen[1, -1] = True
    return chosen


def masked(data, missing):
    return np.ma.masked_array(np.where(missing, 1e9, data), missing)


def masked_rows(data, missing):
    return list(masked(data, missing))


def nullable(data, missing):
    return pd.DataFrame(data).astype("Float64").mask(missing)


def whole(data, missing):
    """Integers, in a frame where each column has a mask of its own."""
    return pd.DataFrame(np.round(data)).astype("Int64").mask(missing)


def fits_and_answers(entry, problem):
    return entry.ask(entry.fit(problem), problem.queries)


@pytest.mark.parametrize("mark", [masked, masked_rows, nullable, whole])
@having("missing outputs", lambda entry, problem: numeric(problem.outputs))
def test_missing_outputs_by_any_mark(entry, mark):
    """They are as NaN is: either both are refused, by name, or the answers are equal."""
    problem, _, _ = fitted(entry, 0)
    if mark is not masked and not is_matrix(problem.outputs):
        pytest.skip("no frames of series")
    missing = spots(problem.outputs, np.random.default_rng(0))
    marked = replace(problem, outputs=mark(problem.outputs, missing))
    values = np.round(problem.outputs) if mark is whole else problem.outputs
    plain = replace(problem, outputs=np.where(missing, np.nan, values))
    if "NaN in outputs" in entry.lacks:
        assert_same_answers(entry, fits_and_answers(entry, marked), fits_and_answers(entry, plain))
        return
    for refused in (plain, marked):
        with pytest.raises(
            ValueError,
            match=r"(?i)y (contains NaN.*Fill or drop them; \w+|must have no masked entries)",
        ):
            entry.fit(refused)


@having("masked inputs", lambda entry, problem: isinstance(problem.inputs, np.ndarray))
def test_masked_inputs_are_not_used(entry):
    problem, model, _ = fitted(entry, 0)
    generator = np.random.default_rng(0)
    inputs, queries = (
        masked(data, spots(data, generator)) for data in (problem.inputs, problem.queries)
    )
    if "NaN in inputs" in entry.lacks:
        twins = [entry.fit(replace(problem, inputs=A)) for A in (inputs, inputs.filled(np.nan))]
        ours, theirs = (dict(numbers(twin)) for twin in twins)
        np.testing.assert_equal(ours, theirs)
        return
    words = f"{entry.names[0]}.*(masked|NaN)"
    with pytest.raises(ValueError, match=words):
        entry.fit(replace(problem, inputs=inputs))
    with pytest.raises(ValueError, match=words):
        entry.ask(model, queries)


@having("sparse outputs", lambda entry, problem: numeric(problem.outputs))
def test_sparse_outputs_are_refused(entry):
    problem, _, _ = fitted(entry, 0)
    if is_matrix(problem.outputs):
        with pytest.raises(TypeError, match=r"(?i)y must be dense; got a sparse matrix"):
            entry.fit(replace(problem, outputs=sparse.csr_array(problem.outputs)))


# Copies, threads, and what belongs to the caller


@having("copies")
def test_pickles_and_clones(entry):
    problem, model, before = fitted(entry, 0)
    np.testing.assert_equal(entry.ask(pickle.loads(pickle.dumps(model)), problem.queries), before)
    assert_same_answers(entry, entry.ask(entry.fit(problem, clone(model)), problem.queries), before)


@having("threads")
def test_two_threads(entry):
    """Two models are fitted, and each of them is asked, at once."""
    problem, _, before = fitted(entry, 0)
    with ThreadPoolExecutor(2) as pool:
        models = list(pool.map(lambda _: entry.fit(problem), range(2)))
        answers = list(pool.map(lambda i: entry.ask(models[i % 2], problem.queries), range(4)))
    for one in answers:
        np.testing.assert_equal(one, answers[0])
    assert_same_answers(entry, answers[0], before)


def overwrite(data):
    """Change all numbers that the caller holds, in place."""
    if isinstance(data, np.ndarray):
        data[...] = 1
    for one in data if isinstance(data, list) else ():
        overwrite(one)


@having("data of its own")
def test_a_model_does_not_change_with_the_arrays_of_the_caller(entry):
    problem, _, before = fitted(entry, 0)
    own, estimator = deepcopy(problem), deepcopy(entry.estimator)
    model = estimator.fit(**entry.arguments(own))
    for argument in (*entry.arguments(own).values(), *model.get_params(deep=False).values()):
        overwrite(argument)
    assert_same_answers(entry, entry.ask(model, problem.queries), before)


# Numbers that a fitted model holds

# which warnings were given, and by which default; what twins keep of what they were asked
FORGOTTEN = ("_warned", "_default_parts", "_mixed")


def parts(value):
    """What is inside of a value that holds others, by name; nothing for other values."""
    if isinstance(value, dict):
        return value
    if isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.dtype == object):
        return dict(enumerate(value))
    ours = type(value).__module__.startswith(("ofer", "sklearn"))
    return vars(value) if ours and hasattr(value, "__dict__") else {}


def numbers(value, name=""):
    """Pairs of a name and an array, of all that is inside of a value; None is an empty array."""
    if sparse.issparse(value):
        yield name, value.toarray()
    elif value is None:
        yield name, np.zeros(0)
    elif not parts(value) and np.asarray(value).dtype.kind in "biuf":
        yield name, np.asarray(value, dtype=float)
    for key, one in parts(value).items():
        if key not in FORGOTTEN:
            yield from numbers(one, f"{name}.{key}")


def attributes(model):
    """Attributes that a model has learned: those that end in "_", of the model itself."""
    properties = [name for name, _ in inspect.getmembers_static(type(model))]
    found = {}
    for name in {*vars(model), *properties}:
        if name.endswith("_") and not name.startswith("_"):
            try:
                inside = dict(numbers(getattr(model, name), name))
                found |= {key: one for key, one in inside.items() if "._" not in key}
            except (AttributeError, ValueError):
                continue  # is not there
    return found


@having("state")
def test_a_second_fit_leaves_nothing_of_the_first(entry):
    problem, model, before = fitted(entry, 0)
    n = len(problem.inputs)
    used = entry.fit(samples(problem, np.arange(n)[:0:-1]))
    used.fit(**entry.arguments(problem))
    found, expected = dict(numbers(used)), dict(numbers(model))
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        assert found[name].shape == value.shape, name
        assert_close(found[name], value, LEARNED)
    assert_same_answers(entry, entry.ask(used, problem.queries), before)


@having("size of the pickle")
def test_a_pickle_has_what_predictions_need(entry):
    """At most 1.2 times the bytes of training data and of what is public, and 8 kB."""
    rng = np.random.default_rng(0)
    problem, _, _ = fitted(entry, 0)
    many = samples(problem, rng.integers(len(problem.inputs), size=300))
    many = replace(many, inputs=each(lambda A: A + 0.3 * rng.normal(size=A.shape), many.inputs))
    if numeric(many.outputs):
        many = replace(many, outputs=many.outputs + 0.3 * rng.normal(size=many.outputs.shape))
    model = entry.fit(many)
    learned = sum(one.nbytes for key, one in numbers(model) if "._" not in key)
    allowed = 1.2 * (len(pickle.dumps((many.inputs, many.outputs))) + learned) + 8000
    assert len(pickle.dumps(model)) <= allowed


# Fits that fail


class Interrupted:
    """Within it, the call of a function of the package with this number is interrupted."""

    def __init__(self, number=None):
        self.number, self.calls = number, 0

    def __enter__(self):
        sys.setprofile(self._count)
        return self

    def __exit__(self, *_):
        sys.setprofile(None)

    def _count(self, frame, event, _):
        if event == "call" and frame.f_globals.get("__name__", "").startswith("ofer."):
            self.calls += 1
            if self.calls == self.number:
                sys.setprofile(None)
                raise KeyboardInterrupt


@having("failed fits")
def test_a_fit_that_fails_leaves_the_model_as_it_was(entry):
    """Or not fitted; so does one that is interrupted, wherever it is."""
    problem, model, _ = fitted(entry, 0)
    model, fresh, rng = deepcopy(model), clone(entry.estimator), np.random.default_rng(0)
    before = entry.ask(model, problem.queries)
    spoilt = replace(problem, inputs=spoiled(problem.inputs, np.inf, rng))
    other = samples(problem, np.arange(len(problem.inputs))[:1:-1])
    with pytest.raises((ValueError, TypeError)):
        model.fit(**entry.arguments(spoilt))
    np.testing.assert_equal(entry.ask(model, problem.queries), before)
    with pytest.raises((ValueError, TypeError)):
        fresh.fit(**entry.arguments(spoilt))
    with pytest.raises(NotFittedError):
        entry.ask(fresh, problem.queries)
    twin = deepcopy(model)
    with Interrupted() as count:
        twin.fit(**entry.arguments(other))
    for share in (0.3, 0.6, 0.9, 0.99):
        with pytest.raises(KeyboardInterrupt), Interrupted(max(2, int(share * count.calls))):
            model.fit(**entry.arguments(other))
        np.testing.assert_equal(entry.ask(model, problem.queries), before)


# Queries in company


def stacked(data, more):
    """Samples, and some more after them."""
    return data + more if isinstance(data, list) else np.concatenate([data, more])


@having("company")
def test_a_query_in_company_is_a_query_alone(entry):
    """Whoever is beside it: the answer is the same up to roundoff."""
    problem, model, _ = fitted(entry, 0)
    queries = problem.queries
    alone = [entry.ask(model, rows(queries, [i])) for i in range(len(queries))]
    whole = entry.ask(model, queries)
    for i, one in enumerate(alone):
        assert_close(flat(one), flat(rows(whole, [i])), 1e-6)
    for far in (1e6, 1e12):
        more = each(lambda A, far=far: np.full_like(A, far), rows(queries, [0]))
        found = entry.ask(model, stacked(queries, more))
        assert_close(flat(found[: len(queries)]), flat(whole), 1e-6)


# Weights, and samples left out


def takes_weights(entry, problem):
    return has_fit_parameter(entry.estimator, "sample_weight")


@having("weight zero", takes_weights)
def test_samples_of_weight_zero_are_absent(entry):
    """A third of the rows, far away and strange, does not count: not even for a width."""
    rng = np.random.default_rng(0)
    problem, _, _ = fitted(entry, 0)
    n = len(problem.inputs)
    weights, chosen = rng.uniform(0.5, 2.0, n), rng.integers(n, size=n // 3 + 1)
    alone = entry.fit(replace(problem, weights=weights))
    outputs = problem.outputs
    if outputs is not None:
        strange = -1e3 * outputs[chosen] if numeric(outputs) else rng.permutation(outputs[chosen])
        outputs = np.concatenate([outputs, strange])
    inputs = np.concatenate([problem.inputs, 1e3 * (problem.inputs[chosen] + 1.0)])
    weights = np.r_[weights, np.zeros(len(chosen))]
    more = entry.fit(replace(problem, inputs=inputs, outputs=outputs, weights=weights))
    found, expected = attributes(more), attributes(alone)
    for name in found.keys() & expected.keys():
        if found[name].shape == expected[name].shape:
            assert_close(found[name], expected[name], LEARNED)
    queries = problem.queries
    assert_same_answers(entry, entry.ask(more, queries), entry.ask(alone, queries))


@pytest.mark.parametrize("value", [1e12, 1e100, np.nan])
@having("weight zero", takes_weights)
def test_absent_samples_may_hold_anything(entry, value):
    """Also at the beginning, and what no sample may hold."""
    rng = np.random.default_rng(0)
    problem, _, _ = fitted(entry, 0)
    n = len(problem.inputs)
    weights = rng.uniform(0.5, 2.0, n)
    places = np.sort(rng.choice(n + n // 3, n, replace=False))  # of those that are present
    strange = np.zeros(n + n // 3)
    strange[places] = weights
    inputs = np.full((len(strange), *problem.inputs.shape[1:]), value)
    inputs[places], outputs = problem.inputs, problem.outputs
    if numeric(outputs):
        outputs = np.full((len(strange), *outputs.shape[1:]), value)
        outputs[places] = problem.outputs
    elif outputs is not None:
        outputs = rng.choice(outputs, len(strange))
        outputs[places] = problem.outputs
    alone = entry.fit(replace(problem, weights=weights))
    among = entry.fit(replace(problem, inputs=inputs, outputs=outputs, weights=strange))
    queries = problem.queries
    assert_same_answers(entry, entry.ask(among, queries), entry.ask(alone, queries))


@pytest.mark.parametrize("factor", [1e-20, 1e20])
@having("unit of weights", takes_weights)
def test_weights_have_no_unit(entry, factor):
    problem, _, _ = fitted(entry, 0)
    weights = np.random.default_rng(0).uniform(0.5, 2.0, len(problem.inputs))
    expected = entry.ask(entry.fit(replace(problem, weights=weights)), problem.queries)
    found = entry.ask(entry.fit(replace(problem, weights=factor * weights)), problem.queries)
    assert_same_answers(entry, found, expected)


@having("whole weights", takes_weights)
def test_whole_weights_are_repetitions(entry):
    problem, _, _ = fitted(entry, 0)
    n = len(problem.inputs)
    weights = np.random.default_rng(0).integers(1, 4, n)
    weighted = entry.fit(replace(problem, weights=weights.astype(float)))
    repeated = entry.fit(samples(problem, np.repeat(np.arange(n), weights)))
    queries = problem.queries
    assert_same_answers(entry, entry.ask(weighted, queries), entry.ask(repeated, queries))


@having("samples twice")
def test_twice_the_samples_is_half_of_each_fixed_ridge(entry):
    problem, _, before = fitted(entry, 0)
    estimator = clone(entry.estimator)
    for name, value in estimator.get_params().items():
        if name.endswith("alphas") and value is not None and len(value) == 1:
            estimator.set_params(**{name: [2.0 * value[0]]})
    twice = samples(problem, np.tile(np.arange(len(problem.inputs)), 2))
    found = entry.ask(entry.fit(twice, estimator), problem.queries)
    assert_same_answers(entry, found, before)


@each_problem
@having("leave-one-out", lambda entry, problem: entry.refits)
def test_leave_one_out_is_what_refits_give(entry, number):
    problem, model, _ = fitted(entry, number)
    promised, found = entry.refits(entry, model, problem)
    assert_close(np.atleast_1d(found), np.atleast_1d(promised), entry.tolerance)


# Composition


def matrices(entry, problem):
    return is_matrix(problem.inputs)


def scaled(problem):
    scaler = StandardScaler().fit(problem.inputs)
    inputs, queries = scaler.transform(problem.inputs), scaler.transform(problem.queries)
    return replace(problem, inputs=inputs, queries=queries)


@having("pipeline", matrices)
def test_in_a_pipeline(entry):
    problem, _, _ = fitted(entry, 0)
    pipeline = make_pipeline(StandardScaler(), clone(entry.estimator))
    pipeline.fit(problem.inputs, problem.outputs)
    after = scaled(problem)
    expected = entry.ask(entry.fit(after), after.queries)
    assert_same_answers(entry, entry.ask(pipeline[-1], after.queries), expected)


def inner_name(entry, problem):
    """The name of the estimator inside of another, to which the inputs go."""
    names = [one for one in ("regressor", "estimator") if one in entry.estimator.get_params(False)]
    return matrices(entry, problem) and names[0] if names else None


@having("scaled part", inner_name)
def test_a_scaler_before_the_inner_estimator_is_one_before_both(entry):
    problem, _, _ = fitted(entry, 0)
    name = inner_name(entry, problem)
    inner = make_pipeline(StandardScaler(), clone(part_of(entry.estimator, name)))
    found = entry.fit(problem, clone(entry.estimator).set_params(**{name: inner}))
    after = scaled(problem)
    expected = entry.ask(entry.fit(after), after.queries)
    assert_same_answers(entry, entry.ask(found, problem.queries), expected)


@having("pandas")
def test_frames_as_the_output_of_all_transformers(entry):
    problem, _, before = fitted(entry, 0)
    frames, _ = CHANGES["frames"](entry, problem, None)
    with sklearn.config_context(transform_output="pandas"):
        found = entry.ask(entry.fit(frames), frames.queries)
    found = found.to_numpy() if isinstance(found, pd.DataFrame) else found
    assert_same_answers(entry, found, before)


def is_scored(entry, problem):
    return hasattr(entry.estimator, "score")


@having("grid search", is_scored)
def test_in_a_search(entry):
    problem, _, before = fitted(entry, 0)
    search = GridSearchCV(entry.estimator, {}, cv=KFold(2), error_score="raise")
    search.fit(problem.inputs, problem.outputs)
    assert np.isfinite(search.best_score_)
    assert_same_answers(entry, entry.ask(search.best_estimator_, problem.queries), before)
    if "NaN in outputs" in entry.lacks:
        missing = spoiled(problem.outputs, np.nan, np.random.default_rng(0))
        search.fit(problem.inputs, missing)
        assert np.isfinite(search.best_score_)


def takes_routed(entry, problem):
    return matrices(entry, problem) and takes_weights(entry, problem)


@having("routed", takes_routed)
def test_routed_weights(entry):
    problem, _, _ = fitted(entry, 0)
    weights = np.random.default_rng(0).uniform(0.5, 2.0, len(problem.inputs))
    after = scaled(replace(problem, weights=weights))
    with sklearn.config_context(enable_metadata_routing=True):
        estimator = clone(entry.estimator)
        inner = [one for one in estimator.get_params().values() if isinstance(one, BaseEstimator)]
        for one in (estimator, *inner):
            if has_fit_parameter(one, "sample_weight"):
                one.set_fit_request(sample_weight=True)
        pipeline = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), estimator)
        pipeline.fit(problem.inputs, problem.outputs, sample_weight=weights)
        found = entry.ask(pipeline[-1], after.queries)
    assert_same_answers(entry, found, entry.ask(entry.fit(after), after.queries))
