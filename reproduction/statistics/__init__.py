"""Splits, choices, and what a table of results says: means, tests and ranks."""

from reproduction.statistics.contrast import Contrast, mean_table
from reproduction.statistics.order import gap, least, most, steady, to_digits
from reproduction.statistics.pairs import PRange, mcnemar_range
from reproduction.statistics.ranks import RankTest, rank_methods
from reproduction.statistics.selection import select_by_folds, select_forest
from reproduction.statistics.significance import paired_t_test
from reproduction.statistics.splits import Split, repeated_splits
from reproduction.statistics.summary import (
    format_mean_std,
    leads,
    percent_change,
    read_bold,
    read_paper,
    summarize,
)
from reproduction.statistics.timing import shortest_time

__all__ = [
    "Contrast",
    "PRange",
    "RankTest",
    "Split",
    "format_mean_std",
    "gap",
    "leads",
    "least",
    "mcnemar_range",
    "mean_table",
    "most",
    "paired_t_test",
    "percent_change",
    "rank_methods",
    "read_bold",
    "read_paper",
    "repeated_splits",
    "select_by_folds",
    "select_forest",
    "shortest_time",
    "steady",
    "summarize",
    "to_digits",
]
