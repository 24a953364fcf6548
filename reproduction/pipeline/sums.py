"""Checksums of what is stored in the book and not computed again by any test.

``book/SHA256SUMS`` has the form of sha256sum, so ``sha256sum -c SHA256SUMS`` compares them, too.
The printed tables were typed, and times are never the same: nothing else would notice a change.

    python -m reproduction.pipeline.sums     # write them
"""

import hashlib

from reproduction.files import replacing
from reproduction.pipeline.execute import BOOK

__all__ = ["changed_files"]

SUMS = "SHA256SUMS"
_KEPT = ("paper/*.csv", "times.csv", "benchmarks.csv", "benchmarks.json")


def changed_files(book=BOOK):
    """Files that are not what their checksums were made of, the new and the missing among them.

    Parameters
    ----------
    book : Path, default=BOOK
        Folder of the book.

    Returns
    -------
    names : list of str
        Paths below `book`.
    """
    lines = (book / SUMS).read_text(encoding="utf-8").splitlines()
    kept = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    now = _sums(book)
    return sorted(name for name in kept | now if kept.get(name) != now.get(name))


def _sums(book):
    paths = sorted(path for pattern in _KEPT for path in book.glob(pattern))
    return {
        path.relative_to(book).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in paths
    }


def main(book=BOOK):
    """Write the checksums."""
    with replacing(book / SUMS) as part:
        part.write_text("".join(f"{digest}  {name}\n" for name, digest in _sums(book).items()))


if __name__ == "__main__":
    main()
