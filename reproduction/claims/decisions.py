"""From effects with intervals to a verdict."""

from typing import NamedTuple

import numpy as np

from reproduction.statistics.effects import Effect

__all__ = ["VERDICTS", "Comparison", "Decision", "Row", "judge", "text_range"]

VERDICTS = (
    "reproduced",
    "in part",
    "inconclusive",
    "not reproduced",
    "not testable",
    "undecided",
)


class Row(NamedTuple):
    """A comparison, for an axis that grows to the right as the number in the text does."""

    name: str
    outcome: str
    """One of "holds", "open" and "fails"."""
    number: str
    """The effect."""
    interval: str
    """The ends of its interval; empty where there is none."""
    value: float
    low: float
    high: float
    """The effect and the ends of its interval on the axis; NaN where there is none."""
    inside: tuple[float, float]
    """Where the claim puts them."""
    printed: float
    """The printed effect; NaN where none is."""


class Decision(NamedTuple):
    """What a rule finds.

    Attributes
    ----------
    verdict : str
        One of `VERDICTS`.
    evidence : str
        Rows, p and splits behind it, or the reason.
    test : str
        The test and its level.
    effect : str
        What was estimated; the least and the greatest of several.
    interval : str
        The interval of the effect; of several from the lowest to the highest end.
    rows : tuple of Row
        What was compared, one by one; none where nothing is estimated.
    """

    verdict: str
    evidence: str
    test: str = ""
    effect: str = ""
    interval: str = ""
    rows: tuple[Row, ...] = ()

    def in_words(self):
        """Effect, interval and evidence in one line.

        Returns
        -------
        str
        """
        found = f"{self.effect} [{self.interval}]" if self.interval else self.effect
        test = f"({self.test})" if self.test else ""
        return " ".join(filter(None, [f"{found};" if found else "", self.evidence, test]))


class Comparison(NamedTuple):
    """An effect, and where a claim puts it."""

    row: str
    """Row of the table, or whatever the claim names several of."""
    effect: Effect
    inside: tuple[float, float]
    """The claim holds where the whole interval lies in here."""
    claimed: tuple[float, float]
    """It is refuted where the interval has nothing in common with this: the size that is printed,
    where one counts, or `inside`."""
    printed: float = np.nan
    """The printed effect, whether its size counts or not."""

    @property
    def outcome(self):
        """One of "holds", "open" and "fails"."""
        effect, (least, most) = self.effect, self.inside
        if np.isnan(effect.low):
            return "open"
        if least <= effect.low and effect.high <= most:
            return "holds"
        excluded = effect.high < self.claimed[0] or effect.low > self.claimed[1]
        return "fails" if excluded else "open"

    @property
    def is_towards(self):
        """Whether the estimate itself is where the claim puts it."""
        return self.inside[0] <= self.effect.value <= self.inside[1]


def judge(comparisons, *, test, what, show, scale=float):
    """Verdict on a claim about all of some rows.

    A row holds where all its comparisons do, and fails where one does. Then a claim is

    * reproduced: all rows hold;
    * in part: some do;
    * not reproduced: none holds and one fails, that is, the opposite is significant, or the
      interval excludes the claimed size;
    * inconclusive: no row holds, none fails, and the test cannot decide.

    `show` writes an effect, and `scale` takes it from the scale of the test to the one shown.
    """
    rows = {}
    for one in comparisons:
        rows.setdefault(one.row, []).append(one)
    outcomes = {row: outcome_of_row([one.outcome for one in own]) for row, own in rows.items()}
    found = set(outcomes.values())
    if found == {"holds"}:
        verdict = "reproduced"
    elif "holds" in found:
        verdict = "in part"
    else:
        verdict = "not reproduced" if "fails" in found else "inconclusive"
    words = {"holds": "holds at", "open": "cannot be decided at", "fails": "refuted at"}
    parts = [
        f"{word} {_rows([row for row in rows if outcomes[row] == outcome], len(rows))}"
        for outcome, word in words.items()
        if outcome in found and len(rows) > 1
    ]
    parts += filter(None, [_p(comparisons), _needed(comparisons)])
    values = [scale(one.effect.value) for one in comparisons]
    tested = [one.effect for one in comparisons if not np.isnan(one.effect.low)]
    ends = [scale(end) for effect in tested for end in (effect.low, effect.high)]
    return Decision(
        verdict,
        "; ".join(parts),
        test,
        f"{what} {text_range(values, show)}",
        text_range(ends, show) if ends else "no spread, no interval",
        tuple(_to_row(one, show, scale) for one in comparisons),
    )


def _to_row(one, show, scale):
    """A comparison as it is drawn; a scale that turns the order round turns the axis round."""
    sign = 1.0 if scale(1.0) > scale(0.0) else -1.0
    ends = sorted(sign * np.array([one.effect.low, one.effect.high]))
    inside = sorted(sign * np.array(one.inside))
    number = show(scale(one.effect.value) + 0.0)  # zero has no sign
    known = [] if np.isnan(one.effect.low) else ends
    interval = ", ".join(show(scale(sign * end)) for end in known)
    value, printed = sign * one.effect.value, sign * one.printed
    return Row(one.row, one.outcome, number, interval, value, *ends, tuple(inside), printed)


def _rows(some, n):
    """Names of some of n rows."""
    if len(some) == n:
        return f"all {n} rows"
    return ("; " if any("," in row for row in some) else ", ").join(some)


def outcome_of_row(outcomes):
    """Outcome of a row: it fails where one of its comparisons does, and holds where all do."""
    if "fails" in outcomes:
        return "fails"
    return "holds" if set(outcomes) == {"holds"} else "open"


def _p(comparisons):
    """The largest p, corrected beside it."""
    known = [one.effect for one in comparisons if not np.isnan(one.effect.p)]
    if not known:
        return ""
    worst = max(known, key=lambda effect: effect.p)
    text = f"p {'up to ' if len(known) > 1 else ''}{worst.p:.2g}"
    corrected = [e.p_corrected for e in known if not np.isnan(e.p_corrected)]
    return f"{text}, corrected {max(corrected):.2g}" if corrected else text


def _needed(comparisons):
    """How many splits would decide what is open, if effects stay as they are."""
    undecided = [one for one in comparisons if one.outcome == "open"]
    if not undecided:
        return ""
    without = [one.effect for one in undecided if np.isnan(one.effect.low)]
    if any(effect.n < 2 for effect in without):
        return "a single split decides nothing"
    if without:
        return "where two methods give the same on every split, nothing is decided"
    towards = [one.effect.needed for one in undecided if one.is_towards]
    if len(towards) < len(undecided):
        return "not all estimates are where the claim puts them"
    most = max(towards)
    count = f"{most:.0f}" if np.isfinite(most) else "more than ten thousand"
    return f"{count} splits would decide"


def text_range(values, show):
    """The least and the greatest of some values, or the one that they are."""
    texts = [show(value) for value in (min(values), max(values))]
    return " to ".join(dict.fromkeys(texts))
