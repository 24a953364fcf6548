"""What must hold at the defaults, in any unit, in any composition and after any history.

Changes are as in `perturbations`. A *comparison* takes a subject, a problem, a model of it and
random numbers and returns two dictionaries of arrays, which must be equal; what raises an
AssertionError says what is wrong.
"""

import pickle
import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import sklearn
from sklearn.base import BaseEstimator, clone
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import has_fit_parameter

from ofer import BlockRegressor, KernelRidgeCV
from tests.ofer.robustness.numbers import attributes, state
from tests.ofer.robustness.perturbations import as_frames, of_inputs, of_outputs, samples, spoil
from tests.ofer.robustness.problems import each

__all__ = [
    "COMPARISONS",
    "COMPOSITION",
    "IN_PARTS",
    "STATE",
    "UNITS",
    "WEIGHTS",
    "fixed_width",
    "part_of",
    "takes_parts",
]


def inputs_in(unit):
    def change(subject, problem, rng):
        return of_inputs(subject, problem, lambda A: A * unit)

    return change


def outputs_in(unit):
    def change(subject, problem, rng):
        return of_outputs(problem, lambda Y: Y * unit)

    return change


def units(rng, count):
    return 10.0 ** rng.permutation(np.linspace(-4, 4, count))


def each_input_in_its_own(subject, problem, rng):
    factors = units(rng, np.shape(problem.inputs[0])[-1])
    return of_inputs(subject, problem, lambda A: A * factors)


def each_output_in_its_own(subject, problem, rng):
    factors = units(rng, problem.outputs.shape[-1])
    return of_outputs(problem, lambda Y: Y * factors)


def asked(subject, problem, model):
    return {"answers": subject.ask(model, problem.queries)}


def both(first, second):
    """Only what both have, and in the same shape."""
    shared = [key for key in first if key in second and first[key].shape == second[key].shape]
    return {key: first[key] for key in shared}, {key: second[key] for key in shared}


def weight_zero(subject, problem, model, rng):
    """A third of the rows, far away and strange, does not count: not even for a width."""
    n = len(problem.inputs)
    weights = rng.uniform(0.5, 2.0, n)
    known = subject.fit(replace(problem, weights=weights))
    chosen = rng.integers(n, size=n // 3 + 1)
    strange = samples(problem, chosen)
    far = each(lambda A: 1e3 * (A + 1.0), strange.inputs)
    outputs = strange.outputs
    if outputs is not None:
        outputs = rng.permutation(outputs) if outputs.dtype.kind != "f" else -1e3 * outputs
        outputs = np.concatenate([problem.outputs, outputs])
    more = subject.fit(
        replace(
            problem,
            inputs=np.concatenate([problem.inputs, far]),
            outputs=outputs,
            weights=np.r_[weights, np.zeros(len(chosen))],
        )
    )
    found, expected = both(attributes(more), attributes(known))
    return asked(subject, problem, more) | found, asked(subject, problem, known) | expected


def whole_weights(subject, problem, model, rng):
    n = len(problem.inputs)
    weights = rng.integers(1, 4, n)
    repeated = samples(problem, np.repeat(np.arange(n), weights))
    weighted = subject.fit(replace(problem, weights=weights.astype(float)))
    return asked(subject, problem, weighted), asked(subject, problem, subject.fit(repeated))


def samples_twice(subject, problem, model, rng):
    """As half of each fixed ridge: twice the samples with twice the ridge is the same."""
    estimator = clone(subject.estimator)
    for name, value in estimator.get_params().items():
        if name.endswith("alphas") and value is not None and len(value) == 1:
            estimator.set_params(**{name: [2.0 * value[0]]})
    twice = samples(problem, np.tile(np.arange(len(problem.inputs)), 2))
    found = subject.fit(twice, estimator)
    return asked(subject, problem, found), asked(subject, problem, model)


def scaled(problem):
    scaler = StandardScaler().fit(problem.inputs)
    return replace(
        problem,
        inputs=scaler.transform(problem.inputs),
        queries=scaler.transform(problem.queries),
    )


def in_pipeline(subject, problem, model, rng):
    pipeline = make_pipeline(StandardScaler(), clone(subject.estimator))
    pipeline.fit(problem.inputs, problem.outputs)
    queries = pipeline[:-1].transform(problem.queries)
    after = scaled(problem)
    return {"answers": subject.ask(pipeline[-1], queries)}, asked(
        subject, after, subject.fit(after)
    )


def part_of(estimator):
    """The name of the estimator inside of another, to which the inputs go."""
    names = [name for name in ("regressor", "estimator") if name in estimator.get_params(False)]
    return names[0] if names else None


def scaled_part(subject, problem, model, rng):
    """A scaler before the part is a scaler before all, in leave-one-out too."""
    name, estimator = part_of(subject.estimator), clone(subject.estimator)
    pipeline = make_pipeline(StandardScaler(), estimator._part(name))
    found = subject.fit(problem, estimator.set_params(**{name: pipeline}))
    after = scaled(problem)
    return asked(subject, problem, found), asked(subject, after, subject.fit(after))


def output_of_frames(subject, problem, model, rng):
    frames, _ = as_frames(subject, problem, rng)
    with sklearn.config_context(transform_output="pandas"):
        found = asked(subject, frames, subject.fit(frames))
    return each_array(found), asked(subject, problem, model)


def set_output(subject, problem, model, rng):
    estimator = clone(subject.estimator).set_output(transform="pandas")
    found = asked(subject, problem, subject.fit(problem, estimator))
    return each_array(found), asked(subject, problem, model)


def each_array(found):
    frames = {key: value for key, value in found.items() if isinstance(value, pd.DataFrame)}
    return found | {key: value.to_numpy() for key, value in frames.items()}


def grid_search(subject, problem, model, rng):
    search = GridSearchCV(subject.estimator, {}, cv=KFold(2), error_score="raise")
    search.fit(problem.inputs, problem.outputs)
    assert np.isfinite(search.best_score_), "score is not finite"
    return asked(subject, problem, search.best_estimator_), asked(subject, problem, model)


def grid_search_with_missing(subject, problem, model, rng):
    return grid_search(
        subject, (missing := spoil("outputs", np.nan)(problem, rng)), subject.fit(missing), rng
    )


def routed(subject, problem, model, rng):
    weights = rng.uniform(0.5, 2.0, len(problem.inputs))
    expected = scaled(replace(problem, weights=weights))
    with sklearn.config_context(enable_metadata_routing=True):
        estimator = clone(subject.estimator)
        inner = [v for v in estimator.get_params().values() if isinstance(v, BaseEstimator)]
        for one in (estimator, *inner):
            if has_fit_parameter(one, "sample_weight"):
                one.set_fit_request(sample_weight=True)
        pipeline = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), estimator)
        pipeline.fit(problem.inputs, problem.outputs, sample_weight=weights)
    found = {"answers": subject.ask(pipeline[-1], expected.queries)}
    return found, asked(subject, expected, subject.fit(expected))


def size_of_the_pickle(subject, problem, model, rng):
    """At most 1.2 times the bytes of training data and of what is public, and 8 kB."""
    many = samples(problem, rng.integers(len(problem.inputs), size=300))
    many = replace(many, inputs=each(lambda A: A + 0.3 * rng.normal(size=A.shape), many.inputs))
    if isinstance(many.outputs, np.ndarray) and many.outputs.dtype.kind == "f":
        many = replace(many, outputs=many.outputs + 0.3 * rng.normal(size=many.outputs.shape))
    found = subject.fit(many)
    public = {
        key: one for key, one in state(found).items() if "._" not in key and not key.startswith("_")
    }
    learned = sum(one.nbytes for key, one in public.items())
    allowed = 1.2 * (len(pickle.dumps((many.inputs, many.outputs))) + learned) + 8000
    used = len(pickle.dumps(found))
    largest = sorted(((one.nbytes, key) for key, one in state(found).items()), reverse=True)
    assert used <= allowed, f"{used} bytes, allowed are {allowed:.0f}; the largest: {largest[:3]}"
    return {}, {}


def same_state(subject, problem, model, rng):
    """What was learned first, from one sample less in another order, has left nothing."""
    n = len(problem.inputs)
    used = subject.fit(samples(problem, np.arange(n)[:0:-1] if n > 2 else np.arange(n)[::-1]))
    used.fit(**subject.arguments(problem))
    return alike(state(used), state(model))


def alike(found, expected):
    """Both, if they have the same names and shapes."""
    odd = sorted(set(found) ^ set(expected))
    assert not odd, f"only one of two has {odd[:5]}"
    wrong = [key for key in found if np.shape(found[key]) != np.shape(expected[key])]
    assert not wrong, f"other shapes: {wrong[:5]}"
    return found, expected


def said(subject, problem, model):
    """All public attributes, answers, and what is refused."""
    found = attributes(model) | asked(subject, problem, model)
    for name in ("loo_predict", "loo_predict_embedding"):
        if hasattr(model, name):
            try:
                found[name] = getattr(model, name)()
            except (ValueError, AttributeError):
                continue
    return found


def halves(subject, problem):
    n = len(problem.inputs)
    return samples(problem, np.arange(n // 2 + 1)), samples(problem, np.arange(n // 2 + 1, n))


def given(subject, problem):
    return problem.inputs, problem.outputs


def partial_fits(subject, problem, model, rng):
    """A fit and a further block is two blocks."""
    first, second = halves(subject, problem)
    found = subject.fit(first)
    whole = found.without_samples().partial_fit(*given(subject, problem))
    found.partial_fit(*given(subject, second))
    return alike(said(subject, problem, found), said(subject, problem, whole))


def merged(subject, problem, model, rng):
    first, second = halves(subject, problem)
    found = subject.fit(first)
    whole = found.without_samples().partial_fit(*given(subject, problem))
    found.merge(found.without_samples().partial_fit(*given(subject, second)))
    return alike(said(subject, problem, found), said(subject, problem, whole))


def emptied(subject, problem, model, rng):
    """Nothing that hangs on samples is there."""
    empty = model.without_samples()
    for name, ask in {
        "answers": lambda: subject.ask(empty, problem.queries),
        "loo_predict": lambda: empty.loo_predict(),
    }.items():
        try:
            ask()
        except (ValueError, AttributeError):
            continue
        raise AssertionError(f"{name} without samples")
    again = empty.partial_fit(*given(subject, problem))
    anew = model.without_samples().partial_fit(*given(subject, problem))
    return alike(said(subject, problem, again), said(subject, problem, anew))


def takes_parts(estimator):
    """Whether a fitted one has `merge` and `without_samples`."""
    regressor = estimator.get_params().get("regressor", estimator) or KernelRidgeCV()
    known = isinstance(regressor, BlockRegressor) and "merge" in regressor.abilities
    return known and hasattr(estimator, "partial_fit")


def fixed_width(estimator):
    """Whether the estimator itself was given the width of a Gaussian kernel."""
    parameters = estimator.get_params(deep=False)
    return parameters.get("kernel") == "rbf" and isinstance(parameters["gamma"], float)


def width_without_use(subject, problem, model, rng):
    """A kernel matrix near the identity, or near all ones, is warned of."""
    for unit, word in ((1e6, "identity"), (1e-6, "all ones")):
        changed, _ = of_inputs(subject, problem, lambda A, unit=unit: A * unit)
        with warnings.catch_warnings(record=True) as given:
            warnings.simplefilter("always")
            subject.fit(changed)
        assert any(word in str(one.message) for one in given), f"no warning of {word}"
    return {}, {}


UNITS = {
    "inputs x 1e-6": inputs_in(1e-6),
    "inputs x 1e6": inputs_in(1e6),
    "inputs, units of their own": each_input_in_its_own,
    "outputs x 1e-6": outputs_in(1e-6),
    "outputs x 1e6": outputs_in(1e6),
    "outputs, units of their own": each_output_in_its_own,
}
WEIGHTS = {
    "weight zero": weight_zero,
    "whole weights": whole_weights,
    "samples twice": samples_twice,
}
WARNS = {"width without use": width_without_use}
COMPOSITION = {
    "pipeline": in_pipeline,
    "scaled part": scaled_part,
    "output of frames": output_of_frames,
    "set_output": set_output,
    "grid search": grid_search,
    "grid search, NaN in outputs": grid_search_with_missing,
    "routed weights": routed,
    "size of the pickle": size_of_the_pickle,
}
IN_PARTS = {"partial fits": partial_fits, "merge": merged, "without samples": emptied}
STATE = {"refitted state": same_state, **IN_PARTS}
COMPARISONS = WARNS | WEIGHTS | COMPOSITION | STATE
