"""Whether what was declared of a subject and a perturbation holds, on generated cases."""

import re
import warnings
import zlib
from functools import cache

import numpy as np

from tests.ofer.robustness.perturbations import CHANGES, HANDLINGS, REFUSED
from tests.ofer.robustness.properties import (
    COMPARISONS,
    IN_PARTS,
    UNITS,
    fixed_width,
    part_of,
    takes_parts,
)
from tests.ofer.robustness.subjects import SUBJECTS

__all__ = ["applicable", "cases", "failures"]

FEW = 3  # cases of what fits several models
ATTRIBUTES = 1e-3  # tolerance of what is learned: scores of a perfect fit are roundoff
ONCE = ("size of the pickle",)


def flat(answers):
    """All numbers of answers, one after the other."""
    whole = isinstance(answers, np.ndarray)
    return np.concatenate([np.ravel(one) for one in ([answers] if whole else answers)]).astype(
        float
    )


def random_numbers(case, text):
    return np.random.default_rng([case, zlib.crc32(text.encode())])


def cases(name, perturbation):
    """How many problems are generated."""
    if perturbation in ONCE:
        return 1
    count = SUBJECTS[name].cases
    if perturbation in REFUSED and count > FEW:
        return 2 * count  # which are quick: most of them fit nothing
    several = perturbation in UNITS | COMPARISONS | HANDLINGS
    return min(FEW, count) if several else count


@cache
def fitted(name, case):
    """A generated problem, a model of it, and its answers: what all perturbations begin with."""
    subject = SUBJECTS[name]
    problem = subject.generate(random_numbers(case, name))
    model = subject.fit(problem)
    return problem, model, subject.ask(model, problem.queries)


def applicable(name, perturbation):
    """Whether a subject has what the perturbation changes."""
    subject = SUBJECTS[name]
    if not subject.thorough and perturbation not in UNITS | COMPARISONS:
        return False
    problem = subject.generate(np.random.default_rng(0))
    numeric = isinstance(problem.outputs, np.ndarray) and problem.outputs.dtype.kind == "f"
    vectors = getattr(problem.inputs, "ndim", 0) == 2
    if "output" in perturbation and perturbation not in COMPARISONS and not numeric:
        return False
    return {
        "sparse": getattr(problem.inputs, "ndim", 2) == 2,
        "leave-one-out": subject.loo is not None,
        "width without use": fixed_width(subject.estimator),
        "inputs, units of their own": subject.answers == "inputs",
        "pipeline": vectors,
        "scaled part": vectors and part_of(subject.estimator) is not None,
        "routed weights": vectors,
        "set_output": hasattr(subject.estimator, "set_output"),
        "grid search": hasattr(subject.estimator, "score"),
        "grid search, NaN in outputs": numeric and hasattr(subject.estimator, "score"),
        **dict.fromkeys(IN_PARTS, takes_parts(subject.estimator)),
    }.get(perturbation, True)


def failures(name, perturbation):
    """What goes wrong, one text for each failing case; none is as it should be."""
    subject = SUBJECTS[name]
    found = []
    for case in range(cases(name, perturbation)):
        rng = random_numbers(case, f"{name}, {perturbation}")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wrong = _failure(subject, perturbation, *fitted(name, case), rng)
        if wrong:
            found.append(f"case {case}: {wrong}")
    return found


def _failure(subject, perturbation, problem, model, before, rng):
    """What goes wrong in one case, or None."""
    try:
        if perturbation in REFUSED:
            changed = REFUSED[perturbation](problem, rng)
            same = changed.inputs is problem.inputs and changed.outputs is problem.outputs
            subject.ask(model if same else subject.fit(changed), changed.queries)
            return "no error"
        found, expected = _answers(subject, perturbation, problem, model, before, rng)
    except AssertionError as error:
        return str(error)
    except Exception as error:
        arguments = "|".join((*subject.names, "sample_weight"))
        named = isinstance(error, ValueError | TypeError) and re.search(
            rf"\b({arguments})\b", str(error), re.IGNORECASE
        )
        if named and perturbation in REFUSED:
            return None
        return f"{'named' if named else 'unnamed'}: {type(error).__name__}: {error}"
    if expected is None:
        return None if np.isfinite(flat(found)).all() else "not finite"
    if not isinstance(found, dict):
        found, expected = {"answers": found}, {"answers": expected}
    by_column = perturbation in UNITS and subject.answers in ("inputs", "outputs")
    gaps = {key: _gap(found[key], expected[key], by_column) for key in found}
    allowed = {"answers": subject.tolerance}
    wrong = [f"{key} by {gap:.0e}" for key, gap in gaps.items()
             if not gap <= allowed.get(key, ATTRIBUTES)]  # fmt: skip
    return f"differs: {', '.join(wrong[:5])}" if wrong else None


def _gap(found, expected, by_column):
    """The largest difference, relative to the largest number, of all or of its column."""
    if by_column:
        pairs = zip(*(np.concatenate([np.moveaxis(one, -1, 0).reshape(np.shape(one)[-1], -1)
                                      for one in map(np.atleast_2d, answers)], axis=1)
                      for answers in (found, expected)), strict=True)  # fmt: skip
        return max(_gap(*pair, False) for pair in pairs)
    found, expected = flat(found), flat(expected)
    if not np.array_equal(np.isfinite(found), np.isfinite(expected)):
        return np.inf
    there = np.isfinite(found)
    largest = np.abs(expected[there]).max(initial=1e-300)
    return np.abs(found[there] - expected[there]).max(initial=0.0) / largest


def _answers(subject, perturbation, problem, model, before, rng):
    """Answers and what they must equal, or None for finite ones."""
    if perturbation == "leave-one-out":
        return [[one] for one in subject.loo(subject, model, problem)]
    if perturbation in COMPARISONS:
        return COMPARISONS[perturbation](subject, problem, model, rng)
    if perturbation in HANDLINGS:
        return HANDLINGS[perturbation](subject, problem, model), before
    changed, expected = (CHANGES | UNITS)[perturbation](subject, problem, rng)
    after = subject.ask(subject.fit(changed), changed.queries)
    return after, None if expected is None else expected(before)
