"""A card beside each data set in the checkout.

``python -m reproduction.datasets.cards`` writes ``data/<folder>/README.md`` from the declarations
and the prepared files; nobody edits them.
"""

import hashlib

from reproduction import paths
from reproduction.datasets.catalogue import dataset_info, list_datasets

__all__ = ["card", "folders", "main", "overview", "written"]

_CREATED_BY = "Written by `python -m reproduction.datasets.cards` from the declarations."
_WORDS = {
    "paper": "Paper",
    "fidelity": "Fidelity",
    "notes": "Differences from the paper's data",
    "source": "Source",
    "conversion": "Conversion",
    "licence": "Licence, and who says so",
    "spdx": "SPDX",
    "citation": "Cite",
}


def folders():
    """Data sets of the checkout by the folder below ``data`` that holds them."""
    by_folder = {}
    for dataset in map(dataset_info, list_datasets()):
        if not dataset.kept_out:
            by_folder.setdefault(dataset.prepared.partition("/")[0], []).append(dataset)
    return dict(sorted(by_folder.items()))


def card(datasets):
    """Markdown of ``README.md`` in a folder of data sets; what they share is said once."""
    parts = {"details", *_WORDS}
    shared = {part for part in parts if len({getattr(d, part) for d in datasets}) == 1}
    if len(datasets) == 1:
        lines = [f"# {datasets[0].title}", ""]
    else:
        folder = datasets[0].prepared.partition("/")[0]
        lines = [f"# {folder}: {len(datasets)} data sets", ""]
    lines += [f"<!-- {_CREATED_BY} -->", ""]
    lines += _facts(datasets[0], shared)
    for dataset in datasets:
        lines += [f"## `{dataset.name}`: {dataset.title}", "", f"{dataset.size}.", ""]
        lines += _facts(dataset, parts - shared)
        lines += [*_files(dataset), *_stored(dataset), *_returned(dataset)]
    return "\n".join(lines).rstrip() + "\n"


def _facts(dataset, names):
    lines = [" ".join(dataset.details.split()), ""] if "details" in names else []
    facts = [
        f"* {word}: {getattr(dataset, name)}" for name, word in _WORDS.items() if name in names
    ]
    return lines + facts + [""] * bool(facts)


def _files(dataset):
    path = _path(dataset)
    lines = ["| file | bytes | sha256 |", "|---|---|---|"]
    lines.append(f"| `{path.name}` | {path.stat().st_size} | `{_sha256(path)}` |")
    if dataset.upstream:
        lines += ["", "Converted from", "", "| upstream file | sha256 |", "|---|---|"]
        lines += [f"| <{file.url}> | `{file.sha256}` |" for file in dataset.upstream]
    return [*lines, ""]


def _stored(dataset):
    lines = ["Stored arrays; the sha256 is that of the bytes in C order.", ""]
    lines += ["| array | sha256 |", "|---|---|"]
    lines += [f"| `{name}` | `{sha256}` |" for name, sha256 in dataset.checksums.items()]
    return [*lines, ""]


def _returned(dataset):
    lines = ["What the loader makes of them:", "", "| field | what it is |", "|---|---|"]
    lines += [f"| `{name}` | {one.text} ({one.form}) |" for name, one in dataset.fields.items()]
    return [*lines, ""]


def _path(dataset):
    return paths.CHECKOUT / "data" / dataset.prepared


def _sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def overview():
    """Markdown of ``data/README.md``: every data set, in the checkout or not."""
    here = [dataset for datasets in folders().values() for dataset in datasets]
    size = sum(_path(dataset).stat().st_size for dataset in here)
    lines = ["# Data", "", f"<!-- {_CREATED_BY} -->", ""]
    lines += [
        f"{len(here)} prepared data sets ({size / 1e6:.0f} MB) lie here.",
        "",
        "The software is under the BSD 3-Clause licence, the data are not: each set has its own "
        "terms, which its card states, and `REUSE.toml` for programs. Some forbid commercial use.",
        "",
        "| data set | terms | where |",
        "|---|---|---|",
    ]
    for dataset in map(dataset_info, list_datasets()):
        folder = dataset.prepared.partition("/")[0]
        where = f"[`{folder}`]({folder}/README.md)"
        if dataset.kept_out:
            where = f"not here. {dataset.kept_out}"
        lines.append(f"| `{dataset.name}`: {dataset.title} | {dataset.spdx} | {where} |")
    return "\n".join(lines) + "\n"


def written():
    """The texts that `main` writes, by file."""
    home = paths.CHECKOUT / "data"
    texts = {home / "README.md": overview()}
    for name, datasets in folders().items():
        texts[home / name / "README.md"] = card(datasets)
    return texts


def main():
    """Write the cards of all folders."""
    for path, text in written().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
