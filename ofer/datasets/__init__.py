"""Data: generated, shipped with scikit-learn, and downloaded into a cache (`OFER_DATA`)."""

from ofer.datasets._10k_volatility import load_10k_volatility
from ofer.datasets._awa import fetch_awa
from ofer.datasets._cache import DatasetInfo, DataUnavailableError, data_home
from ofer.datasets._caltech101 import fetch_caltech101
from ofer.datasets._cbis_ddsm import fetch_cbis_ddsm
from ofer.datasets._character_trajectories import fetch_character_trajectories
from ofer.datasets._class_texts import fetch_class_texts
from ofer.datasets._class_vectors import class_vectors_from_texts
from ofer.datasets._conll2002_es import fetch_conll2002_es
from ofer.datasets._cora import fetch_cora
from ofer.datasets._digits import assemble_digits, load_digits_reconstruction
from ofer.datasets._first_impressions import fetch_first_impressions
from ofer.datasets._glove import fetch_glove, load_glove
from ofer.datasets._image_features import load_image_features
from ofer.datasets._japanese_vowels import fetch_japanese_vowels
from ofer.datasets._maec_volatility import fetch_maec_volatility
from ofer.datasets._markov_sequences import make_markov_sequences
from ofer.datasets._mias_bof import fetch_mias_bof
from ofer.datasets._mtr import fetch_mtr
from ofer.datasets._mutagenicity import fetch_mutagenicity
from ofer.datasets._nci60 import fetch_nci60
from ofer.datasets._nci_cancer import load_nci_cancer
from ofer.datasets._poser import fetch_poser
from ofer.datasets._registry import (
    checksums,
    dataset_info,
    is_available,
    list_datasets,
    unavailable_reason,
    upstream_files,
)
from ofer.datasets._scene15 import fetch_scene15
from ofer.datasets._spoken_arabic_digits import fetch_spoken_arabic_digits
from ofer.datasets._state_space import make_state_space_series
from ofer.datasets._synthetic import make_d1, make_d2, make_mixture_regression
from ofer.datasets._toy_curves import make_toy1, make_toy2, toy_branches, toy_curve
from ofer.datasets._usps import fetch_usps

__all__ = [
    "DataUnavailableError",
    "DatasetInfo",
    "assemble_digits",
    "checksums",
    "class_vectors_from_texts",
    "data_home",
    "dataset_info",
    "fetch_awa",
    "fetch_caltech101",
    "fetch_cbis_ddsm",
    "fetch_character_trajectories",
    "fetch_class_texts",
    "fetch_conll2002_es",
    "fetch_cora",
    "fetch_first_impressions",
    "fetch_glove",
    "fetch_japanese_vowels",
    "fetch_maec_volatility",
    "fetch_mias_bof",
    "fetch_mtr",
    "fetch_mutagenicity",
    "fetch_nci60",
    "fetch_poser",
    "fetch_scene15",
    "fetch_spoken_arabic_digits",
    "fetch_usps",
    "is_available",
    "list_datasets",
    "load_10k_volatility",
    "load_digits_reconstruction",
    "load_glove",
    "load_image_features",
    "load_nci_cancer",
    "make_d1",
    "make_d2",
    "make_markov_sequences",
    "make_mixture_regression",
    "make_state_space_series",
    "make_toy1",
    "make_toy2",
    "toy_branches",
    "toy_curve",
    "unavailable_reason",
    "upstream_files",
]
