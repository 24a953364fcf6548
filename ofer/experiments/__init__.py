"""Experiments: what is declared, how it is run, and how its results are kept and read.

An `Experiment` declares data, methods, settings and splits. `run` evaluates it, `results` gives
the stored table or computes it, and ``python -m ofer.experiments`` stores what is missing or
stale. `summarize`, `compare`, `paired_t_test` and `rank_methods` make of a table what a reader
wants to see.
`read_claims` reads the ledger of the papers' claims, `scorecard` decides them, and `match_cells`
sets every printed cell beside ours.
"""

from ._cells import match_cells
from ._check import beside_stored, check_and_seal, recompute
from ._claims import PAPERS, Claim, decide, read_claims, scorecard
from ._closure import closure, parse
from ._conclusions import conclusions_to_html, describe_cells, describe_verdicts
from ._declaration import Experiment, fingerprint
from ._engine import run
from ._ledger import claims_to_html, figures_of_claims, rules_to_html
from ._paths import results_dir
from ._ranks import RankTest, rank_methods
from ._registry import get_experiment, list_experiments
from ._results import Results, StaleResultsError, compute, results, why_stale
from ._rules import Decision
from ._significance import best_methods, paired_t_test
from ._splits import Split, repeated_splits
from ._store import is_stale, load, save
from ._summary import compare, format_mean_std, read_paper, summarize
from ._verdict import Verdict, ordering_verdict

__all__ = [
    "PAPERS",
    "Claim",
    "Decision",
    "Experiment",
    "RankTest",
    "Results",
    "Split",
    "StaleResultsError",
    "Verdict",
    "beside_stored",
    "best_methods",
    "check_and_seal",
    "claims_to_html",
    "closure",
    "compare",
    "compute",
    "conclusions_to_html",
    "decide",
    "describe_cells",
    "describe_verdicts",
    "figures_of_claims",
    "fingerprint",
    "format_mean_std",
    "get_experiment",
    "is_stale",
    "list_experiments",
    "load",
    "match_cells",
    "ordering_verdict",
    "paired_t_test",
    "parse",
    "rank_methods",
    "read_claims",
    "read_paper",
    "recompute",
    "repeated_splits",
    "results",
    "results_dir",
    "rules_to_html",
    "run",
    "save",
    "scorecard",
    "summarize",
    "why_stale",
]
