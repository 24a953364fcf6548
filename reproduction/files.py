"""Files that are wholly there or not at all."""

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

__all__ = ["replacing"]


@contextlib.contextmanager
def replacing(path):
    """Make a file or a folder aside, and put it in its place when all has gone well.

    Parameters
    ----------
    path : path-like
        The place; its folder is made when needed. What is there stays until then, and for good
        when there is an error.

    Yields
    ------
    part : Path
        Where to make it: the same name, in a folder beside.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replacing(f"{folder}/some.txt") as part:
    ...         _ = part.write_text("all of it")
    ...     print(Path(folder, "some.txt").read_text())
    all of it
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}-") as aside:
        part = Path(aside, path.name)
        yield part
        if path.is_dir():  # which cannot be replaced in one step
            shutil.rmtree(path)
        os.replace(part, path)
