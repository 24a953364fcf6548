"""The ledger of claims: what a paper says, where, and the rule that decides it."""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pandas as pd
import yaml

from reproduction import paths
from reproduction.claims.cells import printed_means
from reproduction.claims.decisions import VERDICTS, Decision
from reproduction.claims.origins import data_origin, thinning
from reproduction.claims.rules import RULES
from reproduction.claims.values import Table
from reproduction.engine.catalogue import get_experiment
from reproduction.engine.store import load
from reproduction.paths import claims_file

__all__ = ["Claim", "decide", "describe_data", "read_claims", "read_papers", "scorecard"]

# Ten times as fast, where PyYAML was built with it.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, kw_only=True)
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
        By verdict, its reason in a sentence: one that was written for another verdict is not told.

    Raises
    ------
    ValueError
        If there is no such rule, the arguments are not its own, or a reason is for no verdict.
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

    def __post_init__(self):
        if self.rule not in RULES:
            raise ValueError(f"rule of {self.id} must be one of {list(RULES)}; got {self.rule!r}.")
        try:
            inspect.signature(RULES[self.rule]).bind(None, **_with_level(self))
        except TypeError as error:
            raise ValueError(f"arguments of {self.id} must suit {self.rule}: {error}.") from error
        if unknown := [word for word in self.why if word not in VERDICTS]:
            raise ValueError(
                f"why of {self.id} must be by verdict, {VERDICTS}; got {unknown[0]!r}."
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


def read_claims(path=None, *, paper=None, table=None):
    """Read the ledger.

    Parameters
    ----------
    path : path-like, default=None
        The file; None means ``book/claims.yml`` of the checkout.
    paper : str, default=None
        Only the claims of this paper.
    table : str or sequence of str, default=None
        Only the claims that these tables decide.

    Returns
    -------
    claims : list of Claim
        In the order of the file.

    Raises
    ------
    ValueError
        When the file is damaged, an entry has a wrong or missing field, or an id stands twice. A
        verdict is no field: verdicts are computed.
    """
    tables = [table] if isinstance(table, str) else table
    claims = []
    path = claims_file(path)
    try:
        entries = yaml.load(path.read_text(encoding="utf-8"), Loader=_LOADER)
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        why = " ".join(str(error).split())
        raise ValueError(f"{path} is damaged ({why}): restore it.") from None
    for entry in entries:
        try:
            claim = Claim(**entry)
        except TypeError as error:
            raise ValueError(f"claim {entry.get('id')!r} has wrong fields: {error}.") from error
        if any(claim.id == other.id for other in claims):
            raise ValueError(f"claim ids must differ; got {claim.id!r} twice.")
        claims.append(claim)
    return [
        claim
        for claim in claims
        if (paper is None or claim.paper == paper)
        and (tables is None or claim.arguments.get("table") in tables)
    ]


def decide(claim, *, folder=None):
    """Decide a claim by the stored results.

    Parameters
    ----------
    claim : Claim
        The claim.
    folder : path-like, default=None
        Folder of the results, see `results_dir`.

    Returns
    -------
    Decision
        Verdict and evidence; "undecided" while the table, or a method of it, is not stored.
    """
    tables = {}
    for table in _tables(claim):
        try:
            frame = load(table, folder=folder)[0]
        except FileNotFoundError:
            return Decision("undecided", f"{table} has not been re-run yet")
        experiment = get_experiment(table)
        tables[table] = Table(
            frame, data_origin(experiment), printed_means(experiment), experiment.test_train_ratio
        )
    if table_ := claim.arguments.get("table"):
        known = {*tables[table_].frame["method"].unique()}
        if absent := [name for name in _named_methods(claim) if name not in known]:
            return Decision("undecided", f"{table_} has no {', '.join(absent)} yet")
    return RULES[claim.rule](tables, **_with_level(claim))


def _tables(claim):
    return [claim.arguments[name] for name in ("table", "times") if name in claim.arguments]


def _named_methods(claim):
    """Methods that a rule asks for."""
    for name in ("method", "methods", "than", "among", "control"):
        value = claim.arguments.get(name, [])
        yield from [value] if isinstance(value, str) else value


def _with_level(claim):
    """The rule's arguments, with the paper's level where the claim names no other."""
    has_level = "level" in inspect.signature(RULES[claim.rule]).parameters
    given = {"level": read_papers().get(claim.paper, {}).get("level", 0.05)} if has_level else {}
    return given | dict(claim.arguments)


def describe_data(claim, *, folder=None):
    """The data that decide a claim.

    Parameters
    ----------
    claim : Claim
        The claim.
    folder : path-like, default=None
        Folder of the results, see `results_dir`.

    Returns
    -------
    origin : str
        As `data_origin` says; "none" where no stored table decides.
    thinned : str
        As `thinning` says.
    """
    try:
        load(claim.arguments["table"], folder=folder)
    except (KeyError, FileNotFoundError):
        return "none", ""
    experiment = get_experiment(claim.arguments["table"])
    settings = claim.arguments.get("settings", ())
    return data_origin(experiment, settings), thinning(experiment, settings)


def scorecard(claims=None, *, folder=None):
    """Claims with their verdicts.

    Parameters
    ----------
    claims : sequence of Claim, default=None
        The claims; None means the whole ledger.
    folder : path-like, default=None
        Folder of the results, see `results_dir`.

    Returns
    -------
    card : DataFrame
        Indexed by claim id: ``place``, ``statement``, ``verdict``, ``evidence`` (effect, interval,
        p and test in one line), ``chapter``, ``data`` (see `describe_data`), ``ours``.
    """
    rows = []
    for claim in read_claims() if claims is None else claims:
        decision = decide(claim, folder=folder)
        found = decision.verdict, decision.in_words()
        data, _ = describe_data(claim, folder=folder)
        place = claim.id, claim.place, claim.statement
        rows.append((*place, *found, claim.chapter, data, claim.ours))
    columns = ["claim", "place", "statement", "verdict", "evidence", "chapter", "data", "ours"]
    return pd.DataFrame(rows, columns=columns).set_index("claim")
