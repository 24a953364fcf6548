"""What D1 would be if the choices that the paper leaves open were made in another way."""

import numpy as np

from reproduction.datasets.generated.mixtures import make_d1
from reproduction.studies.synthetic.d1 import assess

__all__ = ["METHODS", "PARAMETERS", "evaluate"]

PARAMETERS = {
    "n_samples": 300,
    "n_train": 100,
    "variants": {
        "ours": {},
        "separation 2": {"separation": 2.0},
        "separation 12": {"separation": 12.0},
        "linear projection": {"kernel": "linear"},
        "narrow projection": {"gamma": 0.1},
        "noise 0.3": {"input_noise": 0.3},
        "noise 1": {"input_noise": 1.0},
        "unit 5": {"cluster_std": 0.2},
        "unit 1/5": {"cluster_std": 5.0},
    },
}
METHODS = {
    "full 1-GMM": ("full", 1),
    "reduced 1-GMM": ("reduced", 1),
    "full 4-GMM": ("full", 4),
    "full 4-GMM by descent": ("full by descent", 4),
    "reduced 4-GMM": ("reduced", 4),
    "reduced 4-GMM, defaults": ("reduced, defaults", 4),
    "m-KRR centred": ("m-KRR centred", 1),
}


def evaluate(data, method, setting, split):
    """Errors and times of one method on one draw of a variant of D1."""
    variant = PARAMETERS["variants"][setting]
    drawn = make_d1(PARAMETERS["n_samples"], random_state=split, **variant)
    name, n_components = METHODS[method]
    train, test = np.split(np.arange(PARAMETERS["n_samples"]), [PARAMETERS["n_train"]])
    return assess(drawn, name, n_components, train, test, seed=split)
