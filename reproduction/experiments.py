"""Which file declares each experiment: in the folder of a study, under the name of its table."""

from functools import cache

from reproduction.paths import studies_dir

__all__ = ["experiment_files", "experiment_module"]

STUDIES = studies_dir()


@cache
def experiment_files():
    """Files that declare the experiments, by id; none of them is imported here.

    The folder ``tables`` of a study has a module for each table: ``ofer-table-09`` is declared in
    ``drug_activity/tables/ofer_table_09.py``.
    """
    files = {}
    for path in sorted(STUDIES.glob("*/tables/*.py")):
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
    study, tables = experiment_files()[id].relative_to(STUDIES).parts[:2]
    return f"reproduction.studies.{study}.{tables}.{id.replace('-', '_')}"
