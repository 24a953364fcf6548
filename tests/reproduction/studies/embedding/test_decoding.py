import numpy as np
import pytest

from reproduction.datasets.generated.mixture_regression import make_mixture_regression
from reproduction.studies.embedding.decoding import (
    pre_images_by_decoder,
    root_mean_squares_by_part,
)

DATA = make_mixture_regression(
    90, n_clusters=3, n_outputs=2, n_inputs=2, separation=5, input_noise=0.5, random_state=0
)
TRAIN, TEST = np.arange(60), np.arange(60, 90)


@pytest.mark.parametrize("scaling", ["score", "natural"])
def test_the_search_finds_the_least_loss(scaling):
    found = pre_images_by_decoder(DATA, TRAIN, TEST, n_components=3, seed=0)
    losses = {name: loss for name, (loss, _) in found.items() if name.startswith(scaling)}
    assert len(losses) == 3
    assert min(losses, key=losses.get) == f"{scaling}, exact"


def test_the_two_parts_add_up_to_the_error_of_the_full_embedding():
    parts = root_mean_squares_by_part(DATA, TRAIN, TEST)
    ends = abs(parts["learning"] - parts["pre-image"]), parts["learning"] + parts["pre-image"]
    assert ends[0] <= parts["full"] <= ends[1]
    centred = DATA.Y[TEST] - DATA.Y[TRAIN].mean(axis=0)
    assert parts["reduced"] < np.sqrt(np.square(centred).sum(axis=1).mean())
