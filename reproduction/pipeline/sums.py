"""Checksums of what is stored in the book and not computed again by any test.

``book/SHA256SUMS`` has the form of sha256sum, so ``sha256sum -c SHA256SUMS`` compares them, too.
The printed tables were typed, and times are never the same: nothing else would notice a change.
Who measures anew writes the checksums of its own files alone, and so vouches for no others.

    python -m reproduction.pipeline.sums               # write them
    python -m reproduction.pipeline.sums times.csv     # write this one, keep the others
"""

import argparse
import hashlib

from reproduction.files import replacing
from reproduction.pipeline.execute import BOOK

__all__ = ["changed_files"]

SUMS = "SHA256SUMS"
_KEPT = ("paper/**/*.csv", "times.csv", "benchmarks.csv", "benchmarks.json")


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
    kept, now = _stored(book), _sums(book)
    return sorted(name for name in kept | now if kept.get(name) != now.get(name))


def _stored(book):
    lines = (book / SUMS).read_text(encoding="utf-8").splitlines()
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


def _sums(book):
    paths = sorted(path for pattern in _KEPT for path in book.glob(pattern))
    return {
        path.relative_to(book).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in paths
    }


def main(arguments=None, book=BOOK):
    """Write the checksums."""
    parser = argparse.ArgumentParser(description="Write the checksums of files of the book.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="a file below book; none for all")
    names, sums = parser.parse_args(arguments).names, _sums(book)
    if unknown := sorted({*names} - {*sums}):
        parser.error(f"NAME must be among {', '.join(sums)}; got {', '.join(unknown)}.")
    if names:
        sums = _stored(book) | {name: sums[name] for name in names}
    with replacing(book / SUMS) as part:
        part.write_text("".join(f"{sums[name]}  {name}\n" for name in sorted(sums)))


if __name__ == "__main__":
    main()
