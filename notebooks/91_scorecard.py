# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     name: python3
# ---

# %% [markdown]
# # Scorecard
#
# What the papers claim, and what becomes of it when their tables are re-run. The claims stand in a
# ledger, `book/claims.yml`: the place, the statement in our words, and the rule that decides it. A
# rule is a small function of the stored results, and follows the paper's words, not our numbers. No
# verdict is typed: this page computes them.
#
# | verdict | meaning |
# |---|---|
# | reproduced | the rule holds in all rows of the table for which the claim is made |
# | partly | in some of them |
# | not reproduced | in none |
# | not testable | nothing that can be computed here would decide it; the reason is given |
# | undecided | the table has not been re-run yet |
#
# "Better" means: by a paired t-test over the splits at the level of 0.001, which is the paper's
# rule for bold face ({doc}`chapter 6.1 <06_1_protocol>`). Where a method appears in two forms, a
# claim is decided for the form that the paper prints.

# %%
import pandas as pd
from IPython.display import HTML

from ofer.experiments import read_claims, scorecard
from ofer.plotting import plot_scorecard

claims = read_claims()
card = scorecard(claims)
card["verdict"].value_counts().to_frame()

# %% mystnb={"figure": {"name": "fig-scorecard", "caption": "Verdicts on the claims of the papers, by the table that decides them."}, "image": {"alt": "Stacked bars, one a table, of the numbers of claims reproduced, partly, not reproduced, not testable and undecided."}}
tables = [claim.arguments.get("table", "no table") for claim in claims]
_ = plot_scorecard(pd.crosstab(pd.Series(tables, name="table"), card["verdict"].to_numpy()))

# %% [markdown]
# ## All claims
#
# The evidence is what the rule saw, over the rows of the claim. Follow a link to the chapter that
# shows the table.

# %% tags=["hide-input"]
shown = card[["place", "statement", "verdict", "evidence"]].reset_index(drop=True)
decided = ~card["verdict"].isin(["undecided", "not testable"]).to_numpy()
links = '<a href="' + card["chapter"] + '.html">' + card["statement"] + "</a>"
shown["statement"] = shown["statement"].where(~decided, links.to_numpy())
HTML(shown.to_html(escape=False, index=False, border=0, classes="claims"))

# %% [markdown]
# ## What the verdicts do not say
#
# * A claim that one method beats another can be reproduced for a reason that the paper does not
#   give. On drug activities the printed method beats m-KRR because m-KRR has no intercept: the
#   {doc}`chapter <06_4_2_drug_activity>` shows it with a fair baseline.
# * Data differ from the paper's where these could not be had. Every chapter says how.
# * Ten splits of one data set are not ten data sets. Chapter 6.1 has the corrected test, which is
#   stricter than the paper's.
