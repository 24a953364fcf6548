"""Fetch the data that are missing, or compare them: ``python -m reproduction.datasets``."""

import argparse

from reproduction.datasets.cache import DamagedDataError, DataUnavailableError
from reproduction.datasets.catalogue import dataset_info, list_datasets

__all__ = ["main"]


def main(argv=None):
    """Run the command; the code is 1 when arrays are not the pinned ones.

    Without options every data set that is neither in the checkout nor in a folder of data is
    downloaded and converted, where it can be. With ``--verify`` nothing is downloaded: each
    prepared file is checked, and where the upstream files are at hand they are converted again
    and compared with it.
    """
    parser = argparse.ArgumentParser(prog="python -m reproduction.datasets", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help="data sets; all by default")
    parser.add_argument("--verify", action="store_true", help="convert again and compare")
    options = parser.parse_args(argv)
    step = _verify if options.verify else _fetch
    outcomes = [step(dataset_info(name)) for name in options.names or list_datasets()]
    return int(not all(outcomes))


def _fetch(dataset):
    """Have the data, if that can be; what cannot be had is said, and no failure."""
    try:
        dataset.arrays()
    except DataUnavailableError as error:
        print(error, flush=True)
        return True
    except DamagedDataError as error:
        print(error, flush=True)
        return False
    print(f"{dataset.name}: here", flush=True)
    return True


def _verify(dataset):
    """Whether the prepared file is right and, where it can be told, follows from upstream."""
    if dataset.prepared_file() is None:
        print(f"{dataset.name}: not here", flush=True)
        return True
    try:
        prepared = dataset.arrays(download_if_missing=False)
    except DamagedDataError as error:
        print(error, flush=True)
        return False
    if not dataset.upstream_at_hand():
        print(f"{dataset.name}: checksums are right", flush=True)
        return True
    try:
        converted = dataset.convert_upstream(download_if_missing=False)  # or other checksums
    except DataUnavailableError as error:
        print(f"{dataset.name}: checksums are right; not converted. {error}", flush=True)
        return isinstance(error.__cause__, ImportError)
    text = f"{len(converted)} of {len(prepared)} arrays converted again, the same"
    print(f"{dataset.name}: {text}", flush=True)
    return True


if __name__ == "__main__":
    raise SystemExit(main())
