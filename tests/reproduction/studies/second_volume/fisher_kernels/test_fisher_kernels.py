import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.utils import Bunch

from ofer.companions import FisherKernelLearner, PairwiseMRF
from reproduction.datasets.generated.markov_sequences import make_markov_sequences
from reproduction.studies.second_volume.fisher_kernels import classification
from reproduction.studies.second_volume.fisher_kernels import representations as module
from reproduction.studies.second_volume.fisher_kernels.node_scaler import NodeScaler
from reproduction.studies.second_volume.fisher_kernels.pairwise_mrf_classifier import (
    PairwiseMRFClassifier,
)
from reproduction.studies.second_volume.fisher_kernels.representations import (
    classify,
    represent,
)

CLASSIFIERS = ["softmax", "SVM", "LMNN", "1-NN"]


@pytest.fixture(autouse=True)
def few_iterations(monkeypatch):
    few = {
        "max_iter": 10,
        "learner_max_iter": 8,
        "full_gradient_max_iter": 40,
        "margin_max_iter": 30,
    }
    for name, most in few.items():
        monkeypatch.setitem(module.PARAMETERS, name, most)


@pytest.fixture(scope="module")
def data():
    drawn = make_markov_sequences(90, min_steps=20, max_steps=30, random_state=0)
    splits = [(np.arange(60), np.arange(60, 90))]
    return Bunch(objects=drawn.sequences, y=drawn.y, splits=splits, model={})


def represented(method, data, seed=0):
    train, test = data.splits[0]
    seen, unseen = ([data.objects[i] for i in part] for part in (train, test))
    return represent(method, 3, seen, data.y[train], unseen, model={}, seed=seed), seen, unseen


def options(**more):
    return {"max_iter": 10, "tol": module.PARAMETERS["tol"], "random_state": 0, **more}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_representations_are_those_of_the_companions(data):
    y = data.y[data.splits[0][0]]
    vectors, seen, unseen = represented("likelihood", data)
    bayes = PairwiseMRFClassifier(PairwiseMRF(3, **options())).fit(seen, y)
    assert_allclose(vectors.test, bayes.transform(unseen))
    assert_array_equal(vectors.predicted, bayes.predict(unseen))
    vectors, seen, unseen = represented("Fisher", data)
    assert_allclose(vectors.train, PairwiseMRF(3, **options()).fit(seen).score_vectors(seen))
    vectors, seen, unseen = represented("FKL as printed", data)
    start = PairwiseMRF(3, init="random", max_iter=0, random_state=0)
    learner = FisherKernelLearner(start, optimizer="alternating", max_iter=8, tol=1e-5)
    learner.fit(seen, y)
    assert_allclose(vectors.test, learner.transform(unseen))
    assert_array_equal(vectors.history, learner.objectives_)
    vectors, seen, unseen = represented("FKL as printed, logarithms", data)
    by_logarithms = learner.set_params(objective="log").fit(seen, y)
    assert_allclose(vectors.test, by_logarithms.transform(unseen))


def test_test_objects_do_not_matter(data):
    train, test = data.splits[0]
    shorter = Bunch(**{**data, "splits": [(train, test[:5])]})
    for method in ("likelihood", "FKL"):
        whole, part = represented(method, data)[0], represented(method, shorter)[0]
        assert_allclose(whole.train, part.train)
        y = data.y[train]
        for name, answer in classify(part, y, seed=0)[0].items():
            assert_array_equal(answer, classify(whole, y, seed=0)[0][name][:5])


def test_frames_are_standardised_by_the_training_part(data, monkeypatch):
    shifted = Bunch(**{**data, "objects": [7.0 + 3.0 * one for one in data.objects]})
    first, second = (classification.evaluate(one, "Fisher", "3", 0) for one in (data, shifted))
    del first["fit time"], second["fit time"]
    assert list(first) == list(second)
    assert_allclose(list(first.values()), list(second.values()))
    scaled = NodeScaler().fit(data.objects[:60]).transform(data.objects[:60])
    assert_allclose(np.vstack(scaled).std(axis=0), 1.0)
