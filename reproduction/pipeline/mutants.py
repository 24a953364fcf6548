"""Mutants: what the tests of the core and of the regions notice when the code is wrong.

mutmut changes one thing at a time, a sign, a bound, an argument, and runs the tests that reach the
changed function, the fastest first, until one fails. What it found is kept in the folder
``mutants``, so that an interrupted run goes on where it stopped, and only functions that have
changed are tried anew. Which modules are mutated, and by which tests they are tried, stands in
`pyproject.toml`.

    python -m reproduction.pipeline.mutants --base origin/main  # modules changed since then
    python -m reproduction.pipeline.mutants --share 0.2         # a part of all, for the book
"""

import argparse
import csv
import json
import math
from hashlib import sha256

import numpy as np

from reproduction.files import replacing
from reproduction.paths import CHECKOUT
from reproduction.pipeline.affected import changed_files

__all__ = ["SAME", "SCORES", "SURVIVORS", "drawn", "rate"]

FOLDER = CHECKOUT / "mutants"
SCORES = CHECKOUT / "book" / "mutants.csv"
SURVIVORS = CHECKOUT / "book" / "mutants_survivors.csv"
SAME = "equivalent: "  # how the reason of a survivor begins that no test could notice
# Exit codes of pytest when no test failed or none was there, and of mutmut when none is known.
_UNNOTICED = (0, 5, 33)
# mutmut leaves decorated methods alone, as a decorator may do anything. These check arguments.
_HARMLESS = ("fit_context", "available_if")


def drawn(mutants, share):
    """A part of the mutants of a module: the same each time, and in every larger part.

    Parameters
    ----------
    mutants : iterable of str
        Their names.
    share : float
        How large a part, at most 1.

    Returns
    -------
    mutants : list of str
        The first ones in the order of their checksums.
    """
    ordered = sorted(mutants, key=lambda name: sha256(name.encode()).digest())
    return ordered[: math.ceil(share * len(ordered))]


def rate(total, tried, killed):
    """Share of all mutants that would be killed, from what was tried of each module.

    Parameters
    ----------
    total, tried, killed : array-like of int of shape (n_modules,)
        Mutants of each module.

    Returns
    -------
    share, error : float
        Estimate and its standard error: modules count by their mutants, and of one that was tried
        as a whole nothing is left to estimate.
    """
    total, tried, killed = (np.asarray(counts, dtype=float) for counts in (total, tried, killed))
    size, share = total / total.sum(), killed / tried
    unseen = (1.0 - tried / total) / np.maximum(tried - 1.0, 1.0)
    return float(size @ share), float(np.sqrt(np.sum(size**2 * unseen * share * (1.0 - share))))


def run(base, share, jobs):
    """Try what was not tried yet, and what survived without a reason.

    Parameters
    ----------
    base : str
        Commit: all mutants of the modules that have changed since then are tried.
    share : float or None
        This part of the mutants of every module instead; the tables are written.
    jobs : int
        How many are tried side by side.
    """
    _mutate_methods_that_check_arguments()
    from mutmut.__main__ import _run, copy_src_dir, create_mutants

    FOLDER.mkdir(exist_ok=True)
    copy_src_dir()
    create_mutants(jobs)
    (FOLDER / "mutmut-stats.json").unlink(missing_ok=True)  # tests may reach other functions now
    codes, reasons = _codes(), _reasons()
    if share is None:
        changed = {path.relative_to(CHECKOUT).as_posix() for path in changed_files(base)}
        codes, share = {path: one for path, one in codes.items() if path in changed}, 1.0
        print(f"Modules that are mutated and have changed since {base}: {len(codes)}")
        write = False
    else:
        write = True
    open_ = [key[-1] for key in _survivors(codes) if not reasons.get(key[:-1])]
    todo = [
        mutant
        for one in codes.values()
        for mutant in drawn(one, share)
        if one[mutant] is None or mutant in open_
    ]
    if todo:
        _run(todo, jobs)
    if write:
        _write_tables()
    for path, function, old, new, _ in _survivors({path: _codes()[path] for path in codes}):
        if not reasons.get((path, function, old, new)):
            print(f"{path}, {function}:\n  - {old}\n  + {new}")


def _mutate_methods_that_check_arguments():
    """Let mutmut mutate `fit`, too."""
    import libcst
    from mutmut.mutation.file_mutation import MutationVisitor

    skip = MutationVisitor._skip_node_and_children

    def skip_others(self, node):
        decorators = node.decorators if isinstance(node, libcst.FunctionDef) else ()
        names = [getattr(getattr(one.decorator, "func", None), "value", "") for one in decorators]
        return not (names and set(names) <= set(_HARMLESS)) and skip(self, node)

    MutationVisitor._skip_node_and_children = skip_others


def _codes():
    """Exit codes of the mutants of each module, by its path; None for one that was not tried."""
    found = sorted(FOLDER.rglob("*.py.meta"))
    return {
        path.relative_to(FOLDER).as_posix()[: -len(".meta")]: codes
        for path in found
        if (codes := json.loads(path.read_text("utf-8"))["exit_code_by_key"])
    }


def _survivors(codes):
    """Path, function, what stood there, what stands there instead, and name of each survivor."""
    from mutmut.mutation.diff_apply import get_diff_for_mutant
    from mutmut.utils.format_utils import orig_function_and_class_names_from_key

    for path, one in codes.items():
        for mutant in (mutant for mutant, code in one.items() if code in _UNNOTICED):
            function, owner = orig_function_and_class_names_from_key(mutant)
            lines = get_diff_for_mutant(mutant, path=path).splitlines()[2:]
            old, new = (
                "\n".join(line[1:].strip() for line in lines if line[:1] == s) for s in "-+"
            )
            yield path, f"{owner}.{function}" if owner else function, old, new, mutant


def _reasons():
    """Stored reasons by path, function, and what was changed."""
    if not SURVIVORS.exists():
        return {}
    with SURVIVORS.open(newline="", encoding="utf-8") as file:
        return {tuple(row[:-1]): row[-1] for row in csv.reader(file)}


def _write_tables():
    """Counts of each module, and all survivors with the reasons that were stored before."""
    codes, reasons = _codes(), _reasons()
    rows = [(*key[:-1], reasons.get(key[:-1], "")) for key in _survivors(codes)]
    counts = []
    for path, one in codes.items():
        own = [row for row in rows if row[0] == path]
        tried = sum(code is not None for code in one.values())
        same = sum(row[-1].startswith(SAME) for row in own)
        counts.append((path, len(one), tried, tried - len(own), len(own), same))
    counts.insert(0, ("all", *np.sum([row[1:] for row in counts], axis=0).tolist()))
    head = ("module", "mutants", "tried", "killed", "survived", "equivalent")
    _write(SCORES, [head, *counts])
    _write(SURVIVORS, [("module", "function", "code", "mutant", "reason"), *rows])


def _write(path, rows):
    with replacing(path) as part, part.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Try the tests on code that is wrong.")
    parser.add_argument("--base", default="HEAD", help="commit to compare with")
    parser.add_argument("--share", type=float, help="part of all mutants, at most 1")
    parser.add_argument("--jobs", type=int, default=2, help="mutants that are tried side by side")
    arguments = parser.parse_args()
    run(arguments.base, arguments.share, arguments.jobs)
