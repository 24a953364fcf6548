"""Data: generated, shipped with scikit-learn, and downloaded into a cache (`OFER_DATA`)."""

from ofer.datasets._10k_volatility import load_10k_volatility
from ofer.datasets._cache import DatasetInfo, DataUnavailableError, data_home
from ofer.datasets._class_vectors import class_vectors_from_texts
from ofer.datasets._digits import assemble_digits, load_digits_reconstruction
from ofer.datasets._maec_volatility import fetch_maec_volatility
from ofer.datasets._nci60 import fetch_nci60
from ofer.datasets._registry import checksums, dataset_info, is_available, unavailable_reason
from ofer.datasets._state_space import make_state_space_series
from ofer.datasets._synthetic import make_d1, make_d2, make_mixture_regression

__all__ = [
    "DataUnavailableError",
    "DatasetInfo",
    "assemble_digits",
    "checksums",
    "class_vectors_from_texts",
    "data_home",
    "dataset_info",
    "fetch_maec_volatility",
    "fetch_nci60",
    "is_available",
    "load_10k_volatility",
    "load_digits_reconstruction",
    "make_d1",
    "make_d2",
    "make_mixture_regression",
    "make_state_space_series",
    "unavailable_reason",
]
