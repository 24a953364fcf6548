"""From effects with intervals to an outcome."""

from collections import Counter
from itertools import combinations
from typing import NamedTuple

import numpy as np

from reproduction.claims.origins import OnWhat
from reproduction.statistics import most
from reproduction.statistics.effects import Effect

__all__ = [
    "DECIDERS",
    "OUTCOMES",
    "Axis",
    "Comparison",
    "Decision",
    "InReading",
    "Row",
    "combine",
    "combine_readings",
    "judge",
    "text_range",
]

OUTCOMES = (
    "holds",
    "holds in part",
    "depends on the reading",
    "undecided",
    "does not hold",
    "not comparable",
    "not testable",
)
_SAYS_NOTHING = {"not comparable", "not testable"}
_HOLDS = {"holds", "holds in part"}

DECIDERS = {
    "this book": "the test at the paper's level",
    "printed sizes": "the same, and a row fails, too, where the interval excludes the printed size",
    "sound test": "a test that allows for splits that overlap, at that level: the two-way test of "
    "splits and objects where it can be had, else the corrected resampled t-test",
    "means alone": "the mean, without a test",
}
"""Rules of decision, and what decides a row by each. All verdicts are by the first."""


class Row(NamedTuple):
    """A comparison, for an axis that grows to the right as the number in the text does."""

    name: str
    """Row of the table."""
    rival: str
    """What the method is compared with; empty where it is compared with a bound."""
    outcome: str
    """"holds", "undecided", "does not hold" or "not comparable"."""
    number: str
    """The effect."""
    interval: str
    """The ends of its interval; empty where there is none."""
    printed_number: str
    """The printed effect; empty where none is."""
    value: float
    low: float
    high: float
    """The effect and the ends of its interval on the axis; NaN where there is none."""
    inside: tuple[float, float]
    """Where the claim puts them."""
    printed: float
    """The printed effect on the axis; NaN where none is."""


class Axis(NamedTuple):
    """The part of an axis that all rows of a claim need."""

    low: float
    high: float
    neutral: float
    """Where there is no effect; NaN where no such place is."""
    texts: tuple[str, str, str]
    """Of these three."""


class InReading(NamedTuple):
    """What is found of a claim in one reading of its paper."""

    choice: dict[str, str]
    """By dimension, the option that is taken; empty for the claim's own table."""
    decision: "Decision"
    """Of the claim's rule."""

    @property
    def name(self):
        """The options in a row."""
        return ", ".join(self.choice.values()) or "as in our table"


class Decision(NamedTuple):
    """What is found of a claim.

    Attributes
    ----------
    outcome : str
        One of `OUTCOMES`.
    evidence : str
        What `rows` and `readings` do not show: p, splits that would decide, or the reason.
    test : str
        The test and its level.
    effect : str
        What was estimated; the least and the greatest of several.
    interval : str
        The interval of the effect; of several from the lowest to the highest end.
    rows : tuple of Row
        What was compared, one by one; none where nothing is estimated.
    axis : Axis
        The axis on which the rows lie; None where there is none.
    by_decider : dict of str to str
        The outcome by each of `DECIDERS`.
    printed : str
        Where the paper's own numbers contradict the claim, or only tie; empty where they do not.
    on : OnWhat
        The data that decide.
    readings : tuple of InReading
        What is found in each reading, the claim's own table first; none where the paper leaves
        nothing open.
    """

    outcome: str
    evidence: str
    test: str = ""
    effect: str = ""
    interval: str = ""
    rows: tuple[Row, ...] = ()
    axis: Axis | None = None
    by_decider: dict[str, str] | None = None
    printed: str = ""
    on: OnWhat = OnWhat()
    readings: tuple[InReading, ...] = ()

    def in_words(self):
        """Effect, interval, rows, evidence and readings in one line.

        Returns
        -------
        str
        """
        effect = f"{self.effect} [{self.interval}]" if self.interval else self.effect
        test = f" ({self.test})" if self.test else ""
        found = [effect, *self._outcomes_of_rows(), self.evidence, self.readings_in_words()]
        return "; ".join(filter(None, found)) + test

    def _outcomes_of_rows(self):
        """Each outcome, and at which rows, where there are several."""
        by_row = {}
        for row in self.rows:
            by_row.setdefault(row.name, []).append(row.outcome)
        outcomes = {name: _of_row(own) for name, own in by_row.items()}
        for outcome in OUTCOMES:
            some = [name for name, own in outcomes.items() if own == outcome]
            if some and len(outcomes) > 1:
                yield _outcome_at(outcome, some, len(outcomes))

    def readings_in_words(self):
        """What is found in how many readings, and which choice decides.

        Returns
        -------
        str
            Empty where the paper leaves nothing open.
        """
        others = self.readings[1:]
        if not others:
            return ""
        number = f"{len(others)} readings" if len(others) > 1 else "another reading"
        return f"in {number} of the paper: {_said(others)}"


class Comparison(NamedTuple):
    """An effect, and where a claim puts it."""

    row: str
    """Row of the table, or whatever the claim names several of."""
    effect: Effect
    inside: tuple[float, float]
    """The claim holds where the whole interval lies in here."""
    printed: float = np.nan
    """The printed effect; NaN where none is."""
    rival: str = ""
    """What the method is compared with."""
    says_nothing: str = ""
    """Why nothing follows for the paper, whatever the effect is; empty where something does."""

    def outcome(self, decider="this book", level=0.05):
        """One of "holds", "undecided", "does not hold" and "not comparable"."""
        effect, (least, most) = self.effect, self.inside
        towards = self.puts(effect.value)
        if self.says_nothing:
            return "not comparable"
        if effect.degenerate:
            return "undecided"
        if decider == "means alone":
            return "holds" if towards else "does not hold"
        if np.isnan(effect.low):
            return "undecided"
        if decider == "sound test" and not np.isnan(effect.p_corrected):
            decided = effect.p_corrected < level
            return ("holds" if towards else "does not hold") if decided else "undecided"
        if least <= effect.low and effect.high <= most:
            return "holds"
        if decider == "printed sizes" and least <= self.printed <= most:
            # At the printed size or beyond it, on the side of the claim.
            least, most = (least, self.printed) if np.isinf(least) else (self.printed, most)
        return "does not hold" if effect.high < least or effect.low > most else "undecided"

    def puts(self, value, slack=0.0):
        """Whether the claim puts an effect there, or as near as the slack."""
        return self.inside[0] - slack <= value <= self.inside[1] + slack


def combine(outcomes):
    """Outcome of a whole by the outcomes of its parts.

    Parameters
    ----------
    outcomes : iterable of str
        Of the rows of a claim, or of the claims of one statement.

    Returns
    -------
    outcome : str
        "holds" where all do, "holds in part" where some do. Otherwise what depends on the reading
        does; otherwise "does not hold" where one does not, and "undecided" where the test can
        decide none. What is not comparable or not testable counts only where nothing else is there.
    """
    kinds = {*outcomes}
    kinds = kinds - _SAYS_NOTHING or kinds
    if len(kinds) == 1:
        return kinds.pop()
    for known, whole in (
        (_HOLDS, "holds in part"),
        ({"depends on the reading"}, "depends on the reading"),
        ({"does not hold"}, "does not hold"),
    ):
        if kinds & known:
            return whole
    return "not comparable"  # as the other is not testable


def combine_readings(outcomes):
    """Outcome of a claim by its outcomes in all readings of its paper.

    It is the one outcome where all readings agree; "depends on the reading" where the claim holds,
    at least in part, in some and not in all. Where it holds in part in some and wholly in the
    others it "holds in part", and where it holds in none and they differ it is "undecided".
    """
    kinds = {*outcomes}
    kinds = kinds - _SAYS_NOTHING or kinds
    if len(kinds) == 1:
        return kinds.pop()
    if kinds <= _HOLDS:
        return "holds in part"
    if kinds & {*_HOLDS, "depends on the reading"}:
        return "depends on the reading"
    return "undecided" if kinds - _SAYS_NOTHING else "not comparable"


def judge(comparisons, *, test, level, what, show, scale=float, neutral=0.0):
    """Outcome of a claim about all of some rows, see `combine`.

    A row holds where all its comparisons do, and does not where in one the opposite is
    significant. `show` writes an effect, and `scale`
    takes it from the scale of the test to the one shown.
    """
    rows = {}
    for comparison in comparisons:
        rows.setdefault(comparison.row, []).append(comparison)
    by_decider = {
        decider: combine(
            _of_row([one.outcome(decider, level) for one in own]) for own in rows.values()
        )
        for decider in DECIDERS
    }
    parts = filter(None, [_p(comparisons), *_reasons(comparisons), _needed(comparisons)])
    values = [scale(one.effect.value) for one in comparisons]
    tested = [one.effect for one in comparisons if not np.isnan(one.effect.low)]
    ends = [scale(end) for effect in tested for end in (effect.low, effect.high)]
    shown = tuple(_to_row(one, show, scale) for one in comparisons)
    return Decision(
        by_decider["this book"],
        "; ".join(parts),
        test,
        f"{what} {text_range(values, show)}",
        text_range(ends, show) if ends else "no spread, no interval",
        shown,
        _axis(shown, show, scale, neutral),
        by_decider,
        _printed(comparisons, len(rows), neutral),
    )


def _to_row(comparison, show, scale):
    """A comparison as it is drawn; a scale that turns the order round turns the axis round."""
    sign = _sign(scale)
    ends = sorted(sign * np.array([comparison.effect.low, comparison.effect.high]))
    inside = sorted(sign * np.array(comparison.inside))
    number = show(scale(comparison.effect.value) + 0.0)  # zero has no sign
    known = [] if np.isnan(comparison.effect.low) else ends
    interval = ", ".join(show(scale(sign * end)) for end in known)
    text = "" if np.isnan(comparison.printed) else show(scale(comparison.printed) + 0.0)
    texts = comparison.row, comparison.rival, comparison.outcome(), number, interval, text
    return Row(
        *texts, sign * comparison.effect.value, *ends, tuple(inside), sign * comparison.printed
    )


def _axis(rows, show, scale, neutral):
    """From the least to the greatest of what is drawn, with a little room to either side."""
    sign = _sign(scale)
    known = [sign * neutral]
    for row in rows:
        known += [row.value, row.low, row.high, *row.inside, row.printed]
    known = [end for end in known if np.isfinite(end)]
    room = 0.05 * (max(known) - min(known)) or 1.0
    low, high = min(known) - room, max(known) + room
    places = low, high, sign * neutral
    texts = ("" if np.isnan(end) else show(scale(sign * end) + 0.0) for end in places)
    return Axis(*places, tuple(texts))


def _sign(scale):
    return 1.0 if scale(1.0) > scale(0.0) else -1.0


def _outcome_at(outcome, some, n):
    """An outcome and its rows; "does not hold at all rows" could mean either."""
    if outcome == "does not hold" and len(some) == n:
        return f"does not hold at any of the {n} rows"
    return f"{outcome} at {_names(some, n)}"


def _names(some, n):
    """Names of some of n rows."""
    if len(some) == n:
        return f"all {n} rows"
    return ("; " if any("," in row for row in some) else ", ").join(some)


def _of_row(outcomes):
    """A row does not hold where one of its comparisons does not, and holds where all do."""
    kinds = {*outcomes} - {"not comparable"}
    if not kinds:
        return "not comparable"
    if "does not hold" in kinds:
        return "does not hold"
    return "holds" if kinds == {"holds"} else "undecided"


def _p(comparisons):
    """The largest p, and beside it that of the test that allows for overlap.

    Rows that say nothing have no part in it.
    """
    saying = [one.effect for one in comparisons if not one.says_nothing]
    known = [effect for effect in saying if not np.isnan(effect.p)]
    if not known:
        return ""
    worst = known[most([effect.p for effect in known])]
    text = f"{'largest ' * (len(known) > 1)}p {worst.p:.2g}"
    corrected = [e.p_corrected for e in known if not np.isnan(e.p_corrected)]
    return f"{text}, allowing for overlap {max(corrected):.2g}" if corrected else text


def _reasons(comparisons):
    """What rows decide nothing, and why."""
    rows = {}
    for pair in comparisons:
        if pair.says_nothing:
            rows.setdefault(f"not comparable at {{}}: {pair.says_nothing}", []).append(pair.row)
        elif pair.effect.degenerate:
            rows.setdefault(f"degenerate at {{}}: {pair.effect.degenerate}", []).append(pair.row)
    n_rows = len({one.row for one in comparisons})
    for text, names in rows.items():
        yield text.format(_names([*dict.fromkeys(names)], n_rows if n_rows > 1 else -1))


def _needed(comparisons):
    """How many splits would decide what is undecided, if effects stay as they are."""
    undecided = [
        one for one in comparisons if one.outcome() == "undecided" and not one.effect.degenerate
    ]
    if not undecided:
        return ""
    if any(np.isnan(one.effect.low) for one in undecided):
        return "a single split decides nothing"
    towards = [one.effect.needed for one in undecided if one.puts(one.effect.value)]
    if len(towards) < len(undecided):
        return ""  # not all estimates are where the claim puts them
    most = max(towards)
    count = f"{most:.0f}" if np.isfinite(most) else "more than ten thousand"
    return f"{count} splits would decide"


def _printed(comparisons, n_rows, neutral):
    """What the paper's own numbers say against the claim."""
    known = [one for one in comparisons if not np.isnan(one.printed)]
    # Printed numbers are rounded, and a bound that is one of them is met by it.
    against = [one for one in known if not one.puts(one.printed, slack=1e-3 * abs(one.printed))]
    said = []
    for is_tie, words in ((False, "contradict the claim"), (True, "only tie")):
        group = [one for one in against if (one.printed == neutral) == is_tie]
        if names := [*dict.fromkeys(one.row for one in group)]:
            where = f" at {_names(names, n_rows)}" if n_rows > 1 else ""
            rivals = {one.rival for one in group if one.rival}
            less = len(rivals) < len({one.rival for one in known if one.rival})
            beside = f" with {', '.join(sorted(rivals))}" if less else ""
            said.append(f"{words}{where}{beside}")
    return f"The paper's own numbers {' and '.join(said)}." if said else ""


def _said(readings):
    """What is found in how many readings, and which dimension decides."""
    outcomes = [one.decision.outcome for one in readings]
    counts = Counter(outcomes)
    if len(counts) == 1:
        return f"{outcomes[0]} in all" if len(readings) > 1 else outcomes[0]
    parts = []
    for outcome, number in counts.most_common():
        where = [one.name for one in readings if one.decision.outcome == outcome]
        named = f" ({'; '.join(where)})" if 2 * number <= len(readings) else ""
        parts.append(f"{outcome} in {number}{named}")
    decisive = _decisive(readings)
    ending = f"; {' and '.join(decisive)} decide{'s' * (len(decisive) == 1)}" if decisive else ""
    return f"{', '.join(parts)}{ending}"


def _decisive(readings):
    """The fewest dimensions whose options tell the outcome; none where only all of many do."""
    names = [*readings[0].choice]
    for size in range(1, len(names) + 1):
        for some in combinations(names, size):
            known = {}
            for reading in readings:
                options = tuple(reading.choice.get(name) for name in some)
                known.setdefault(options, set()).add(reading.decision.outcome)
            if all(len(found) == 1 for found in known.values()):
                return some
    return ()


def text_range(values, show):
    """The least and the greatest of some values, or the one that they are."""
    texts = [show(value) for value in (min(values), max(values))]
    return " to ".join(dict.fromkeys(texts))
