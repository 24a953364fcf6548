"""What the chapter compares: a few mixtures of each collection, rows of several tables, print."""

import pandas as pd

from reproduction.datasets.texts.class_vectors import fetch_class_vectors
from reproduction.statistics import read_paper, summarize
from reproduction.studies.images.comparison import FETCH, PARAMETERS
from reproduction.studies.images.tasks import describe

__all__ = ["beside_paper", "joined_rows", "load_some", "read_printed_form"]


def load_some(name, sizes):
    """A collection with mixtures of these sizes; the tables have many more."""
    images, vectors, options = FETCH[name](), fetch_class_vectors(name).vectors, PARAMETERS[name]
    sizes_of_sets = {key: options[key] for key in ("largest", "n_test")}
    return describe(images.features, images.labels, vectors, sizes, **sizes_of_sets)


def joined_rows(tables):
    """The rows of several tables; what stands in two of them counts once."""
    rows = pd.concat([table.frame for table in tables])
    return rows.drop_duplicates(["metric", "setting", "method", "split"])


def beside_paper(frame, id, methods):
    """Our summary of some methods, and the printed one, in which OFER is the paper's form."""
    paper = read_paper(id).replace({"method": {"OFER-GMM": "OFER-GMM as printed"}})
    chosen, printed = (rows[rows["method"].isin(methods)] for rows in (frame, paper))
    return {"summary": summarize(chosen), "paper": printed}


def read_printed_form(id):
    """A printed table; OFER in it, with or without weak labels, is the paper's form."""
    paper = read_paper(id)
    is_ours = paper["method"].str.contains("OFER")
    return paper.assign(method=paper["method"].where(~is_ours, paper["method"] + " as printed"))
