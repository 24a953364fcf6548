"""Files that are wholly there or not at all."""

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

__all__ = ["naming", "replacing"]


@contextlib.contextmanager
def naming(path):
    """Name a file in an error that names none, as that of a full disk."""
    try:
        yield
    except OSError as error:
        if error.errno is not None and error.filename is None:
            error.filename = str(path)
        raise


@contextlib.contextmanager
def replacing(path):
    """Make a file or a folder aside, and put it in its place when all has gone well.

    The folder of the place is made when needed. What is there stays until the end, and for good
    when there is an error.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replacing(f"{folder}/some.txt") as draft:
    ...         _ = draft.write_text("all of it")
    ...     print(Path(folder, "some.txt").read_text())
    all of it
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}-")
    with naming(path), aside as folder:
        draft = Path(folder, path.name)
        yield draft
        if path.is_dir():  # which cannot be replaced in one step
            shutil.rmtree(path)
        os.replace(draft, path)
