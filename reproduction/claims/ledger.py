"""The ledger of claims: what a paper says, where, and the rule that decides it."""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

import pandas as pd
import yaml

from reproduction import paths
from reproduction.claims.cells import printed_means
from reproduction.claims.decisions import DECIDERS, OUTCOMES, Decision
from reproduction.claims.origins import on_other_data, on_what
from reproduction.claims.readings import named_methods, over_readings, read_again
from reproduction.claims.rules import RULES
from reproduction.claims.values import Table
from reproduction.engine.catalogue import get_experiment, list_readings
from reproduction.engine.store import groups_of_table, load
from reproduction.experiments import claims_files, printed_tables
from reproduction.paths import results_dir

__all__ = [
    "Claim",
    "by_statement",
    "count_deciders",
    "decide",
    "read_claims",
    "read_papers",
    "scorecard",
    "tables_of",
]

# Ten times as fast, where PyYAML was built with it.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, kw_only=True, eq=False)  # one entry, one object: decided once
class Claim:
    """A claim of a paper.

    Parameters
    ----------
    id : str
        Name, such as ``"ofer-09-small-data"``.
    paper : str
        Key of the paper in the bibliography.
    place : str
        Where the paper says it.
    statement : str
        What it says, in our words.
    rule : str
        Name of the rule that decides it, a function of `reproduction.claims.rules`.
    chapter : str
        The chapter that shows the table.
    arguments : mapping
        Keyword arguments of the rule; ``table``, and ``times`` of some, are ids of tables of
        results.
    ours : bool, default=False
        Whether the claim is not the paper's, but decided beside one of its own: for our form of a
        method, or against a baseline that the paper lacks. Counts leave such claims out.
    why : mapping of str to str, default={}
        By outcome, its reason in a sentence: one that was written for another outcome is not told.
    words : str, default=""
        The paper's own words, or the cells of its table that make the claim.
    statement_of : str, default=""
        Name that all claims share which test one statement of the paper; its own id where empty.
    errata : sequence of str, default=()
        What touches the claim: headings of the chapter of errata, or a companion's chapter and the
        number in its list, such as ``"10_1_sharma_mittal: erratum 6"``.

    Raises
    ------
    ValueError
        If there is no such rule, the arguments are not its own, or a reason is for no outcome.
    """

    id: str
    paper: str
    place: str
    statement: str
    rule: str
    chapter: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    ours: bool = False
    why: Mapping[str, str] = field(default_factory=dict)
    words: str = ""
    statement_of: str = ""
    errata: Sequence[str] = ()

    def __post_init__(self):
        if self.rule not in RULES:
            raise ValueError(f"rule of {self.id} must be one of {list(RULES)}; got {self.rule!r}.")
        try:
            inspect.signature(RULES[self.rule]).bind(None, **_with_level(self))
        except TypeError as error:
            raise ValueError(f"arguments of {self.id} must suit {self.rule}: {error}.") from error
        if unknown := [word for word in self.why if word not in OUTCOMES]:
            raise ValueError(
                f"why of {self.id} must be by outcome, {OUTCOMES}; got {unknown[0]!r}."
            )


def read_papers():
    """Titles of the papers, and the levels of their tests.

    Returns
    -------
    papers : dict of str to dict
        By key in the bibliography, in the order of ``book/papers.yml``: ``title``, and ``level``
        where the paper states one.
    """
    return _read_papers(paths.CHECKOUT / "book" / "papers.yml")


@cache
def _read_papers(path):
    with path.open(encoding="utf-8") as file:  # not its text: an error then names the file
        return yaml.safe_load(file)


def read_claims(*, paper=None, chapter=None):
    """Read the ledger, to which each study has its part in ``reproduction/studies``.

    Parameters
    ----------
    paper : str, default=None
        Only the claims of this paper.
    chapter : str, default=None
        Only the claims that this chapter is about.

    Returns
    -------
    claims : list of Claim
        By paper, in the order of ``book/papers.yml``, and by chapter; of one chapter in the order
        of the files.

    Raises
    ------
    ValueError
        When a file is damaged, an entry has a wrong or missing field, or an id stands twice. An
        outcome is no field: outcomes are computed.
    """
    return [
        claim
        for claim in _read_ledger(tuple((path, *_state(path)) for path in claims_files()))
        if (paper is None or claim.paper == paper) and (chapter is None or claim.chapter == chapter)
    ]


@cache
def _read_ledger(states):
    """All claims of files in these states."""
    claims, files = [], {}
    for path, *_ in states:
        for claim in _read_file(path):
            if claim.id in files:
                raise ValueError(
                    f"claim ids must differ; got {claim.id!r} in {files[claim.id]} and in {path}."
                )
            claims.append(claim)
            files[claim.id] = path
    place = {paper: place for place, paper in enumerate(read_papers())}
    claims.sort(key=lambda claim: (place.get(claim.paper, len(place)), claim.chapter))
    return tuple(claims)


def _read_file(path):
    try:
        entries = yaml.load(path.read_text(encoding="utf-8"), Loader=_LOADER)
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        why = " ".join(str(error).split())
        raise ValueError(f"{path} is damaged ({why}): restore it.") from None
    for entry in each_claim(entries):
        try:
            yield Claim(**entry)
        except TypeError as error:
            raise ValueError(f"claim {entry.get('id')!r} has wrong fields: {error}.") from error


def each_claim(entries):
    """Fields of each claim; an entry with ``claims`` has fields and arguments of all of these."""
    for entry in entries:
        common = {name: value for name, value in entry.items() if name != "claims"}
        for claim in entry.get("claims", [{}]):
            arguments = common.get("arguments", {}) | claim.get("arguments", {})
            yield common | claim | {"arguments": arguments}


def _state(path):
    """What tells a file that was edited, or is not there."""
    if not path.exists():
        return None, None
    state = path.stat()
    return state.st_mtime_ns, state.st_size


def decide(claim):
    """Decide a claim by the stored results.

    Parameters
    ----------
    claim : Claim
        The claim.

    Returns
    -------
    Decision
        Outcome, evidence, and on what data; "undecided" while the table, or a method of it, is not
        stored.
    """
    printed, read = printed_tables(), []
    for id in _tables(claim):
        if not (files := _files(id)):
            return Decision("undecided", f"{id} has not been re-run yet")
        shows = {id, *get_experiment(id).facts.printed}
        read += [*files, *(path for name, path in printed.items() if name in shows)]
    for id in list_readings(claim.arguments.get("table")):
        read += _files(id)
    return _decide(claim, tuple((path, *_state(path)) for path in read))


def _files(id):
    """Text and sidecar of a table; none while it is not stored."""
    folder = results_dir()
    files = [folder / f"{id}.csv", folder / f"{id}.json"]
    if not all(path.exists() for path in files):
        return []
    return [*files, folder / f"{id}.groups.csv"]


@cache
def _decide(claim, states):
    """Decide a claim by files in these states: page, cards and counts ask for the same."""
    tables = {}
    for id in _tables(claim):
        experiment = get_experiment(id)
        # Names of a paper's claims and of its printed tables begin alike.
        paper = claim.id.partition("-")[0]
        printed = printed_means(experiment, tables=paper)
        frame, facts = load(id)[0], experiment.facts
        tables[id] = Table(
            frame,
            printed,
            facts.test_train_ratio,
            facts.trivial,
            facts.chance,
            on_other_data(experiment),
            experiment.percentages,
            groups_of_table(id),
            facts.train_share,
        )
    decide_by = partial(RULES[claim.rule], **_with_level(claim))
    if (main := claim.arguments.get("table")) is None:
        return decide_by(tables)
    known = {*tables[main].frame["method"].unique()}
    if absent := [name for name in named_methods(claim.arguments) if name not in known]:
        return Decision("undecided", f"{main} has no {', '.join(absent)} yet")
    on = on_what(get_experiment(main), claim.arguments.get("settings") or ())
    decision = decide_by(tables)._replace(on=on)
    readings = {id: load(id)[0] for id in list_readings(main) if _files(id)}
    return over_readings(decision, read_again(claim, decide_by, tables, readings))


def _tables(claim):
    names = "table", "times", "beside"
    return [claim.arguments[name] for name in names if name in claim.arguments]


def _with_level(claim):
    """The rule's arguments, with the paper's level where the claim names no other."""
    has_level = "level" in inspect.signature(RULES[claim.rule]).parameters
    given = {"level": read_papers().get(claim.paper, {}).get("level", 0.05)} if has_level else {}
    return given | dict(claim.arguments)


def tables_of(claims):
    """Ids of the tables of results that decide some claims, sorted; only these need be read."""
    return sorted({claim.arguments["table"] for claim in claims if "table" in claim.arguments})


def by_statement(claims):
    """Claims by the statement of the paper that they test; claims of our own are left out.

    Parameters
    ----------
    claims : sequence of Claim
        Of one or more papers.

    Returns
    -------
    statements : dict of tuple to list of Claim
        By paper, and by the name of the group or the id of its only claim.
    """
    statements = {}
    for claim in claims:
        if not claim.ours:
            statements.setdefault((claim.paper, claim.statement_of or claim.id), []).append(claim)
    return statements


def count_deciders(claims):
    """How outcomes hang on the rule that decides.

    Parameters
    ----------
    claims : sequence of Claim
        The claims; those of our own are left out.

    Returns
    -------
    counts : DataFrame of shape (n_deciders, n_outcomes)
        Numbers of claims by each of `DECIDERS`, with a column "changed": how many have another
        outcome than by the first.
    """
    claims = [claim for claim in claims if not claim.ours]
    decisions = [decide(claim) for claim in claims]
    outcomes = pd.DataFrame(
        [one.by_decider or dict.fromkeys(DECIDERS, one.outcome) for one in decisions]
    )
    counts = outcomes.apply(lambda column: column.value_counts()).T.fillna(0).astype(int)
    counts = counts.reindex(index=[*DECIDERS], columns=OUTCOMES, fill_value=0)
    first = outcomes[next(iter(DECIDERS))]
    return counts.assign(changed=outcomes.ne(first, axis=0).sum())


def scorecard(claims=None):
    """Claims with what became of them.

    Parameters
    ----------
    claims : sequence of Claim, default=None
        The claims; None means the whole ledger.

    Returns
    -------
    card : DataFrame
        Indexed by claim id: ``place``, ``statement``, ``outcome``, ``on`` (the kind of data, one of
        `KINDS`), ``detail`` (which data, or what is thinned), ``evidence`` (effect, interval, p and
        test in one line), ``printed`` (where the paper's own numbers contradict), ``chapter``,
        ``ours``.
    """
    rows = []
    for claim in read_claims() if claims is None else claims:
        decision = decide(claim)
        what = decision.outcome, *decision.on, decision.in_words(), decision.printed
        rows.append((claim.id, claim.place, claim.statement, *what, claim.chapter, claim.ours))
    columns = ["claim", "place", "statement", "outcome", "on", "detail", "evidence", "printed"]
    return pd.DataFrame(rows, columns=[*columns, "chapter", "ours"]).set_index("claim")
