"""The first snippet of *Your own output model* can be pasted as it stands."""

from pathlib import Path

import jupytext
import numpy as np

from ofer import KernelRidgeCV, OutputFisherRegressor

CHAPTER = Path(__file__).resolve().parents[2] / "notebooks" / "93_output_models.py"


def test_it_runs_alone_and_is_an_output_model():
    cells = jupytext.read(CHAPTER).cells
    names = {}
    exec(next(cell.source for cell in cells if cell.cell_type == "code"), names)
    rng = np.random.default_rng(0)
    X, points = rng.normal(size=(40, 2)), [[0.0, 0.0], [4.0, 1.0]]
    Y = np.array(points)[(X[:, 0] > 0).astype(int)] + 0.3 * rng.normal(size=(40, 2))
    model = OutputFisherRegressor(names["Prototypes"](points), KernelRidgeCV([0.1], kernel="rbf"))
    assert model.fit(X, Y).score(X, Y) > 0.7
    assert model.loo_predict().shape == Y.shape
