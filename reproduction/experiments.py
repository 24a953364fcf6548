"""What the folders of the studies have: declarations, claims, and what the papers print.

A study is a folder at any depth below ``reproduction/studies``; it is found by its files. What
evaluates does not import this module, so an edit makes no stored table stale.
"""

from functools import cache

from reproduction.paths import studies_dir

__all__ = [
    "claims_files",
    "experiment_files",
    "experiment_module",
    "printed_tables",
    "said_files",
]

STUDIES = studies_dir()


@cache
def experiment_files():
    """Files that declare the experiments, by id; none of them is imported here.

    The folder ``tables`` of a study has a module for each table: ``ofer-table-09`` is declared in
    ``drug_activity/tables/ofer_table_09.py``.
    """
    files = {}
    for path in sorted(STUDIES.rglob("tables/*.py")):
        if path.stem == "__init__":
            continue
        id = path.stem.replace("_", "-")
        if id in files:
            raise ValueError(
                f"ids of experiments must differ; got {id!r} in {files[id]} and {path}."
            )
        files[id] = path
    return files


def experiment_module(id):
    """Name of the module that declares an experiment."""
    path = experiment_files()[id].relative_to(STUDIES).with_suffix("")
    return ".".join(["reproduction", "studies", *path.parts])


def claims_files():
    """The ledger of claims: a file for each study that has some, sorted."""
    return sorted(studies_dir().rglob("claims.yml"))


def printed_tables():
    """Files of the tables that the papers print: a dict by id, sorted."""
    paths = studies_dir().rglob("printed/*.csv")
    return {path.stem: path for path in sorted(paths, key=lambda path: path.name)}


def said_files():
    """Files of the numbers that the papers give in the running text, sorted."""
    return sorted(studies_dir().rglob("said.csv"))
