"""Table 16: times of training and of prediction of every method on every real task (appendix)."""

from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.scores import Score
from reproduction.studies.times.times import PARAMETERS, evaluate, load_tasks

__all__ = ["EXPERIMENT"]

_REGRESSION = ("m-KRR", "m-KRR centred", "IOKR", "IOKR rbf", "m-RF", "OFER-GMM as printed")
_CLASSIFICATION = (
    "m-SVM",
    "MLP",
    "m-RF",
    "one-hot ridge",
    "Sem-IOKR",
    "Sem-KRR",
    "OFER-GMM as printed",
    "OFER-GMM",
)
METHODS_OF = {
    "text": (
        "m-KRR",
        "m-KRR centred",
        "IOKR-Gaussian",
        "IOKR-DTW",
        "IOKR-GAK",
        "m-RF",
        "OFER-GSSM as printed",
        "OFER-GSSM",
    ),
    "traits": (*_REGRESSION, "OFER-GMM"),
    "drugs": (*_REGRESSION, "OFER-GMM"),
    "Caltech-101": _CLASSIFICATION,
    "AwA": _CLASSIFICATION,
}
EXPERIMENT = Experiment(
    id="ofer-table-16",
    title="Table 16: times of training and prediction",
    load=load_tasks,
    evaluate=evaluate,
    methods=tuple(dict.fromkeys(method for methods in METHODS_OF.values() for method in methods)),
    scores=(
        Score("fit time", is_time=True),
        Score("predict time", is_time=True),
        Score("n_train", low=1, whole=True),
        Score("n_test", low=1, whole=True),
    ),
    settings=tuple(METHODS_OF),
    n_splits=5,
    parameters=PARAMETERS,
    datasets=(
        "maec_volatility",
        "first_impressions",
        "nci60",
        "caltech101",
        "awa",
        "class_vectors",
    ),
    methods_of=METHODS_OF,
    check=Check(
        settings=("drugs", "AwA"),
        methods=("m-KRR", "Sem-KRR", "IOKR", "m-RF", "OFER-GMM as printed", "OFER-GMM"),
        more=(("OFER-GSSM as printed", "text", 0),),
    ),
    facts=Facts(
        datasets_of={
            "text": ["maec_volatility"],
            "traits": ["first_impressions"],
            "drugs": ["nci60"],
            "Caltech-101": ["caltech101", "class_vectors"],
            "AwA": ["awa", "class_vectors"],
        }
    ),
)
