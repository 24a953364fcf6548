# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
#   ofer:
#     reads: all
# ---

# %% [markdown]
# # What is in the book, and what is not
#
# {doc}`01_table_by_table` has every table, figure and algorithm that our texts of the five papers
# mention. This page counts them, and lists every lemma, and numbered equations that state something:
# where the book repeats it, and on which data. "Random cases" are Gaussians, mixtures and kernel matrices under the assumptions of a statement.
#
# {doc}`91_scorecard` defines *the paper's data*, *thinned*, *generated* and *other data*, and
# {doc}`92_data` says how far other data are from the paper's. Other data may have the paper's name:
# for Caltech-101 the pictures are the same, but the features differ. *Cells* counts the printed
# numbers that have a number of ours beside them. Methods that we do not run, and data of another
# kind, have none. The experiments declare data and cells; `book/inventory.yml` has the rest.

# %% mystnb={"figure": {"caption": "Tables, figures, algorithms, lemmas and equations of each paper: how many there are, how many the book repeats, and how many tables use which data."}}
import pandas as pd
from IPython.display import HTML, Markdown

from reproduction.claims import KINDS, read_papers
from reproduction.pipeline.inventory import inventory_to_html, read_inventory

items = read_inventory()
titles = {key: paper["title"] for key, paper in read_papers().items()}
rows = []
for paper, entries in items.items():
    made = [one for one in entries if one.places]
    tables = [one for one in made if one.name.startswith("Table")]
    row = {"paper": titles[paper], "there are": len(entries), "made again": len(made)}
    for kind in [*KINDS.values()][::-1]:  # one kind begins as another one does
        row[kind] = sum(one.on.startswith(kind) for one in tables)
        tables = [one for one in tables if not one.on.startswith(kind)]
    assert tables == []
    rows.append(row)
counts = pd.DataFrame(rows).set_index("paper")
counts[["there are", "made again", *KINDS.values()]]


# %%
def show(paper):
    stated = [one for one in items[paper] if one.name.startswith(("Lemma", "Equation"))]
    return HTML(inventory_to_html(stated))


# %% tags=["remove-input"]
missing = {titles[paper]: [i.name for i in own if not i.places] for paper, own in items.items()}
said = [f"{', '.join(names)} ({title})" for title, names in missing.items() if names]
Markdown(
    f"The book repeats {counts['made again'].sum()} of {counts['there are'].sum()} items. It lacks "
    f"{'; '.join(said)}."
)

# %% [markdown]
# ## Output Fisher embedding regression
#
# {cite:t}`djerrab2018`

# %% tags=["hide-input"] mystnb={"figure": {"caption": "Lemmas and equations of the journal version of OFER, and their place in this book."}}
show("djerrab2018")

# %% [markdown]
# ## Twin Gaussian processes with the Sharma-Mittal divergence
#
# {cite:t}`elhoseiny2015`

# %% tags=["hide-input"] mystnb={"figure": {"caption": "Lemmas and equations of the paper on twin Gaussian processes, and their place in this book."}}
show("elhoseiny2015")

# %% [markdown]
# ## Fisher kernel learning
#
# {cite:t}`vandermaaten2011`. Its text mentions no figure.

# %% tags=["hide-input"] mystnb={"figure": {"caption": "Lemmas and equations of the paper on Fisher kernel learning, and their place in this book."}}
show("vandermaaten2011")

# %% [markdown]
# ## Local structured predictors
#
# {cite:t}`du2016`

# %% tags=["hide-input"] mystnb={"figure": {"caption": "Lemmas and equations of the paper on local structured predictors, and their place in this book."}}
show("du2016")

# %% [markdown]
# {doc}`13_after_the_paper` also repeats a table of {cite:t}`elahmad2024`, and {doc}`13_2_label_ranking`
# the experiments of {cite:t}`korba2018`.
