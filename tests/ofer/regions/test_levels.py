"""Regions grow with the level, from the least to the greatest number below one."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.base import clone

from ofer import (
    CrossConformalClassifier,
    FullConformalRegressor,
    GaussianMixtureEmbedding,
    JackknifePlus,
    KernelRidgeCV,
    OutputFisherRegressor,
)

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(0)
X, QUERIES = RNG.normal(size=(24, 2)), RNG.normal(size=(3, 2))
Y = np.column_stack([np.sin(X[:, 0]), X[:, 0] * X[:, 1]]) + 0.3 * RNG.normal(size=(24, 2))
TINY = [1e-300, 1e-16, 3e-11, 1e-9]
LEVELS = [*TINY, *np.linspace(0.02, 0.98, 13), *(1 - np.array([1e-9, 1.2e-16]))]
RIDGES = KernelRidgeCV([0.01, 1.0, 10.0])
MIXTURE = OutputFisherRegressor(GaussianMixtureEmbedding(2, random_state=0), KernelRidgeCV([1.0]))
MODELS = [
    JackknifePlus(),
    JackknifePlus(simultaneous=False),
    JackknifePlus(shape="ellipsoid"),
    JackknifePlus(MIXTURE),
    JackknifePlus(MIXTURE, shape="ellipsoid"),
    FullConformalRegressor(),
    FullConformalRegressor(shape="box"),
    FullConformalRegressor(shape="box", simultaneous=False),
    FullConformalRegressor(RIDGES, selection="inside"),
    FullConformalRegressor(RIDGES, shape="box", selection="inside"),
]


@pytest.mark.parametrize("outputs", [Y[:, 0], Y], ids=["one output", "two"])
@pytest.mark.parametrize("model", MODELS, ids=str)
def test_regions_grow_with_the_level(model, outputs):
    model = clone(model).fit(X, outputs)
    centre = model.predict(QUERIES)
    tried = centre + np.concatenate([0 * centre[None], RNG.normal(size=(6, *centre.shape))])
    before = None
    for level in LEVELS:
        model.set_params(confidence_level=float(level))
        lower, upper = np.moveaxis(model.predict_interval(QUERIES), -1, 0)
        inside = np.array([model.contains(QUERIES, one) for one in tried])
        now = [-lower, upper, model.volume(QUERIES), inside.astype(int)]
        if before is not None:
            for small, large in zip(before, now, strict=True):
                assert (small <= large * (1 + 1e-12 * np.sign(large))).all()
        before = now
        boxes = (lower <= tried) & (tried <= upper)
        boxes = boxes if inside.ndim == boxes.ndim else boxes.all(axis=-1)
        assert (inside <= boxes).all()
        chosen_inside = model.get_params().get("selection") == "inside"  # ends hold a union
        if np.isfinite(upper).all() and not chosen_inside:
            assert model.contains(QUERIES, 0.5 * (lower + upper)).all()
    assert np.isinf(upper).all()
    assert inside.all()


@pytest.mark.parametrize("options", [{}, {"selection": "inside"}, {"allow_empty": True}], ids=str)
def test_sets_grow_with_the_level(options):
    model = CrossConformalClassifier(**options).fit(X, np.arange(24) % 3)
    sets = [model.set_params(confidence_level=float(p)).predict_set(QUERIES) for p in LEVELS]
    for small, large in pairwise(sets):
        assert (small <= large).all()
    assert sets[-1].all()
