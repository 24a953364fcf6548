# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     name: python3
# ---

# %% [markdown]
# # What is in the book, and what is not
#
# Here is every table, figure and algorithm of the five papers that the text we have of them
# mentions: where the book makes it again, and on which data. Links lead to the place.
#
# *The paper's data* are all of them. *Thinned* says what there is less of: data, or iterations.
# *Generated* means drawn as the paper says, which leaves much open. *Other data* are of the same
# kind, because the paper's cannot be had; {doc}`92_data` says how far they are from these. A set of
# the paper's name may be among them: with Caltech-101 the pictures are the same, and their features
# others. *Cells* counts the printed numbers that have one of ours beside them ({doc}`91_scorecard`): methods
# that are not run have none, nor do data of another kind.
#
# Data and cells are not typed: the experiments declare them. What no declaration knows stands in
# `book/inventory.yml`.

# %% mystnb={"figure": {"caption": "Tables, figures and algorithms by paper (rows): how many there are, how many are made again, and the data of the tables."}}
import pandas as pd
from IPython.display import HTML, Markdown

from reproduction.claims import KINDS, read_papers
from reproduction.pipeline.inventory import inventory_to_html, read_inventory

items = read_inventory()
titles = {key: paper["title"] for key, paper in read_papers().items()}
rows = []
for paper, own in items.items():
    made = [one for one in own if one.places]
    tables = [one for one in made if one.name.startswith("Table")]
    row = {"paper": titles[paper], "there are": len(own), "made again": len(made)}
    for kind in [*KINDS.values()][::-1]:  # one kind begins as another one does
        row[kind] = sum(one.on.startswith(kind) for one in tables)
        tables = [one for one in tables if not one.on.startswith(kind)]
    assert tables == []
    rows.append(row)
counts = pd.DataFrame(rows).set_index("paper")
counts[["there are", "made again", *KINDS.values()]]

# %% tags=["remove-input"]
missing = {titles[paper]: [i.name for i in own if not i.places] for paper, own in items.items()}
said = [f"{', '.join(names)} ({title})" for title, names in missing.items() if names]
Markdown(
    f"Of {counts['there are'].sum()} items {counts['made again'].sum()} are made again. Not in the "
    f"book: {'; '.join(said)}."
)

# %% [markdown]
# ## Output Fisher embedding regression
#
# {cite:t}`djerrab2018`

# %% tags=["hide-input"] mystnb={"figure": {"caption": "What the journal version of OFER has, and where it is here."}}
HTML(inventory_to_html(items["djerrab2018"]))

# %% [markdown]
# ## Output Fisher embedding regression, the short version
#
# {cite:t}`djerrab2018esann`

# %% tags=["hide-input"] mystnb={"figure": {"caption": "What the short version of OFER has, and where it is here."}}
HTML(inventory_to_html(items["djerrab2018esann"]))

# %% [markdown]
# ## Twin Gaussian processes with the Sharma-Mittal divergence
#
# {cite:t}`elhoseiny2015`

# %% tags=["hide-input"] mystnb={"figure": {"caption": "What the paper on twin Gaussian processes has, and where it is here."}}
HTML(inventory_to_html(items["elhoseiny2015"]))

# %% [markdown]
# ## Fisher kernel learning
#
# {cite:t}`vandermaaten2011`. Its text speaks of no figure.

# %% tags=["hide-input"] mystnb={"figure": {"caption": "What the paper on Fisher kernel learning has, and where it is here."}}
HTML(inventory_to_html(items["vandermaaten2011"]))

# %% [markdown]
# ## Local structured predictors
#
# {cite:t}`du2016`

# %% tags=["hide-input"] mystnb={"figure": {"caption": "What the paper on local structured predictors has, and where it is here."}}
HTML(inventory_to_html(items["du2016"]))

# %% [markdown]
# Beside the five, {doc}`13_after_the_paper` makes a table of {cite:t}`elahmad2024` again.
