"""Free memory, an error before a method needs more, and arrays cut into batches."""

import os
from collections.abc import Iterator
from pathlib import Path

from sklearn.utils import gen_batches

BATCH = 2**20  # numbers of a temporary array, 8 MB

# Files with a control group's limit and its use, by its controllers: versions 2 and 1.
GROUP_FILES = {
    "": ("memory.max", "memory.current"),
    "memory": ("memory.limit_in_bytes", "memory.usage_in_bytes"),
}


def check_gram_memory(
    n_samples,
    n_matrices=3,
    *,
    method="kernel ridge",
    advice="Use fewer samples, or NystroemRidgeCV, whose memory does not grow with them.",
):
    """Raise MemoryError before `n_matrices` Gram matrices of a method outgrow the free memory."""
    needed, free = n_matrices * 8 * n_samples**2, free_memory()
    if needed > free:
        raise MemoryError(
            f"{method} on {n_samples} samples needs {needed / 1e9:.1f} GB for {n_matrices} "
            f"n x n matrices; {free / 1e9:.1f} GB are free. {advice}"
        )


def free_memory(root: str | Path = "/") -> float:
    """Bytes that this machine, and the containers around this process, still give; or infinity.

    `root` is the folder that holds ``proc`` and ``sys``. Where there is no ``proc``, as on macOS
    and Windows, psutil is asked if it is installed; without it, all memory of the machine counts as
    free, and on Windows there is no limit.
    """
    root, limits = Path(root), [float("inf")]
    for line in _lines(root / "proc/meminfo"):
        if line.startswith("MemAvailable:"):
            limits.append(1024 * int(line.split()[1]))
    for line in _lines(root / "proc/self/cgroup"):  # "0::/a/b", in version 1 "4:memory:/a/b"
        _, controller, name = line.split(":", 2)
        if controller not in GROUP_FILES:
            continue
        top, group = root / "sys/fs/cgroup" / controller, Path(name.lstrip("/"))
        for folder in (top / group, *(top / parent for parent in group.parents)):
            limit, usage = (_lines(folder / name) for name in GROUP_FILES[controller])
            if limit and usage and limit[0].isdigit():  # those of the groups around it hold, too
                files = [line.split() for line in _lines(folder / "memory.stat")]
                cached = sum(int(size) for name, size in files if name == "inactive_file")
                limits.append(max(0, int(limit[0]) - int(usage[0]) + cached))
    return min(limits) if len(limits) > 1 else _free_without_proc()


def row_batches(n_rows: int, n_columns: int, factor: int = 1) -> Iterator[slice]:
    """Slices of the rows of a matrix, each of some MB, or of a multiple of that."""
    batches = max(64, factor * BATCH // max(1, n_columns))
    return gen_batches(n_rows, batches) if n_rows else iter(())


def _free_without_proc() -> float:
    try:
        import psutil
    except ImportError:
        if "SC_PHYS_PAGES" in getattr(os, "sysconf_names", ()):
            return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        return float("inf")
    return psutil.virtual_memory().available


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
