"""Data of the experiments: declared, and found in a folder, the checkout or a cache."""

from reproduction.datasets.cache import (
    DamagedDataError,
    DataUnavailableError,
    data_folders,
    data_home,
)
from reproduction.datasets.catalogue import (
    checksums,
    dataset_info,
    list_datasets,
    unavailable_reason,
    upstream_files,
)
from reproduction.datasets.declaration import Dataset, DatasetInfo, Field
from reproduction.datasets.upstream import UpstreamFile, on_github

__all__ = [
    "DamagedDataError",
    "DataUnavailableError",
    "Dataset",
    "DatasetInfo",
    "Field",
    "UpstreamFile",
    "checksums",
    "data_folders",
    "data_home",
    "dataset_info",
    "list_datasets",
    "on_github",
    "unavailable_reason",
    "upstream_files",
]
