"""Whether what was declared of a subject and a perturbation holds, on generated cases."""

import re
import warnings
import zlib
from functools import cache

import numpy as np

from tests.ofer.robustness.perturbations import CHANGES, HANDLINGS, REFUSED
from tests.ofer.robustness.subjects import SUBJECTS

__all__ = ["applicable", "failures"]


def flat(answers):
    """All numbers of answers, one after the other."""
    return np.concatenate([np.ravel(one) for one in answers]).astype(float)


def random_numbers(case, text):
    return np.random.default_rng([case, zlib.crc32(text.encode())])


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
    problem = subject.generate(np.random.default_rng(0))
    numeric = isinstance(problem.outputs, np.ndarray) and problem.outputs.dtype.kind == "f"
    if "output" in perturbation and not numeric:
        return False
    if perturbation == "sparse" and getattr(problem.inputs, "ndim", 2) == 3:
        return False
    return perturbation != "leave-one-out" or subject.loo is not None


def failures(name, perturbation):
    """What goes wrong, one text for each failing case; none is as it should be."""
    subject = SUBJECTS[name]
    found = []
    for case in range(subject.cases):
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
    except (ValueError, TypeError) as error:
        named = re.search(rf"\b({'|'.join(subject.names)})\b", str(error), re.IGNORECASE)
        if named and perturbation in REFUSED:
            return None
        return f"{'named' if named else 'unnamed'}: {error}"
    found = flat(found)
    if not np.isfinite(found).all():
        return "not finite"
    if expected is None:
        return None
    expected = flat(expected)
    gap = np.abs(found - expected).max() / max(np.abs(expected).max(), 1e-300)
    return None if gap <= subject.tolerance else f"differs by {gap:.0e}"


def _answers(subject, perturbation, problem, model, before, rng):
    """Answers and what they must equal, or None for finite ones."""
    if perturbation == "leave-one-out":
        return [[one] for one in subject.loo(subject, model, problem)]
    if perturbation in HANDLINGS:
        return HANDLINGS[perturbation](subject, problem, model), before
    changed, expected = CHANGES[perturbation](subject, problem, rng)
    after = subject.ask(subject.fit(changed), changed.queries)
    return after, None if expected is None else expected(before)
