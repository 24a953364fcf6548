# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
#   ofer:
#     reads: all
# ---

# %% [markdown]
# # Choices at an end of their grid
#
# A method chooses its hyper-parameters from a grid. If it often takes the first or the last value,
# a wider grid may serve it better, and a comparison may turn round. This page counts how often that
# happens, in each stored table.

# %% tags=["remove-input"]
import pandas as pd
from IPython.display import HTML, Markdown

from reproduction.claims import decide, read_claims
from reproduction.engine import get_experiment, list_experiments
from reproduction.engine.grids import (
    declared_grids,
    share_by_method,
    stored_grid_ends,
)
from reproduction.figures.names import method_name

MUCH, MOST = 1 / 3, 0.8
counts = share_by_method(stored_grid_ends())
often = counts[counts["share"] > MUCH]
Markdown(
    f"**In short.** {len(often)} of {len(counts)} choices (a parameter of a method in a table) "
    f"stand at an end of their grid in more than a third of all cases. In "
    f"{often['done'].str.contains('two candidates').sum()} of these there are but two candidates, "
    f"so that each is an end. {often['table'].nunique()} of {counts['table'].nunique()} tables "
    "have such a choice. The grids of three rivals of twin Gaussian processes were widened, and two "
    "claims have another outcome since. The others are open."
)

# %% [markdown]
# *At the low end* and *at the high end* count choices, over all rows and splits of a table, and
# *share* is their part of all. An end is that of the grid that was searched there: where few samples
# leave few components, the greatest number that they leave. *Natural* ends, beyond which there is
# nothing, are not in the share: one component, one neighbour, all neighbours, $\alpha = 0$ or 1
# where that is the end of a family.
#
# ## Above four fifths
#
# `stored_grid_ends()` of `reproduction.engine.grids` counts all of them.

# %% mystnb={"figure": {"caption": "Choices that stand at an end of their grid in more than four fifths of all cases, by table: the parameter, of how many methods, and their shares."}}
names = {
    "table": "table",
    "metric": "parameter",
    "method": "methods",
    "share": "share",
    "where": "most in",
    "n": "choices",
    "at_low": "at the low end",
    "at_high": "at the high end",
    "natural": "natural",
    "done": "what was done",
}
# Methods that share a search have the same counts, and stand in one line.
alike = [name for name in names if name != "method"]
shown_counts = counts.assign(method=counts["method"].map(method_name))
lines = shown_counts.groupby(alike, sort=False)["method"].agg("; ".join).reset_index()


def in_words(rows):
    return HTML(f'<div class="texts">{rows.to_html(index=False, border=0)}</div>')


def to_html(rows):
    shown = rows.assign(share=rows["share"].map("{:.0%}".format))
    return in_words(shown[shown.columns.intersection([*names], sort=False)].rename(columns=names))


most = counts[counts["share"] > MOST].rename(columns={"metric": "parameter"})
by_table = most.groupby(["table", "parameter"], sort=False)["share"].agg(["size", "min", "max"])
by_table["at an end"] = [
    " to ".join(dict.fromkeys(f"{share:.0%}" for share in ends))
    for ends in by_table[["min", "max"]].to_numpy()
]
by_table = by_table.rename(columns={"size": "methods"})[["methods", "at an end"]]
in_words(by_table.reset_index())

# %% [markdown]
# ## Which verdicts that threatens
#
# A claim may turn round if a method that it names has a choice at an end so often, in the claim's table.
# A wider grid may lower the error of this method, and so help its rivals' claims or its own.

# %% mystnb={"figure": {"caption": "Claims that name a method with such a choice, and all others, by outcome."}}
at_end = set(zip(often["table"], often["method"], strict=True))
theirs = [claim for claim in read_claims() if not claim.ours and "table" in claim.arguments]


def is_threatened(claim):
    given = [one for one in claim.arguments.values() if isinstance(one, str | list | dict)]
    named = {name for one in given for name in ([one] if isinstance(one, str) else one)}
    return any((claim.arguments["table"], name) in at_end for name in named)


rows = [("threatened" if is_threatened(one) else "others", decide(one).outcome) for one in theirs]
rows = pd.DataFrame(rows, columns=["claims", "outcome"])
pd.crosstab(rows["claims"], rows["outcome"], margins=True)

# %% [markdown]
# ## Widened
#
# On the toys of {doc}`10_2_smtgp_experiments` three rivals of twin Gaussian processes have wider
# grids than at first, when HSIC-KNN stood at two ends in every split. Now SMTGP (paper) and IKLTGP
# (paper) are no longer ahead of it on toy 2, and two claims have another outcome: that SMTGP beats four
# simpler methods, and that IKLTGP does. The grids of the family itself are as they were. The next
# table has the counts of today.

# %% mystnb={"figure": {"caption": "Choices from grids that were widened."}}
widened = lines["done"].str.startswith("widened")
to_html(lines[widened])

# %%
outcomes = {claim.id: decide(claim).outcome for claim in read_claims(paper="elhoseiny2015")}
assert outcomes["smtgp-03-sharma-mittal-beats-others"] == "holds in part"
assert outcomes["smtgp-03-inverse-beats-others"] == "does not hold"

# %% [markdown]
# ## What cannot be counted
#
# Some choices are stored and have no ends that can be counted. Others are searched and not stored,
# so that nobody can say how often they stand at an end.

# %% mystnb={"figure": {"caption": "Choices that are stored and have no end."}}
reasons, unstored = [], []
for id in list_experiments():
    experiment = get_experiment(id)
    grids = declared_grids(experiment)
    reasons += [(id, name, grid) for name, grid in grids.items() if isinstance(grid, str)]
    if words := experiment.facts.not_recorded:
        unstored.append((id, words))
in_words(pd.DataFrame(reasons, columns=["table", "parameter", "why"]))

# %% mystnb={"figure": {"caption": "What tables search and do not store."}}
unstored = pd.DataFrame(unstored, columns=["tables", "searched, not recorded"])
by_search = unstored.groupby("searched, not recorded", sort=False)["tables"].agg(", ".join)
in_words(by_search.reset_index())
