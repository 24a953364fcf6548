import numpy as np
import pytest
from sklearn.datasets import load_digits

from ofer.datasets import assemble_digits, load_digits_reconstruction


@pytest.mark.parametrize("border", [1, 2, 3])
def test_middle_and_border_make_up_the_pictures_of_scikit_learn(border):
    digits = load_digits_reconstruction(border=border)
    original = load_digits()
    middle = slice(border, 8 - border)
    np.testing.assert_array_equal(digits.images, original.images / 16)
    np.testing.assert_array_equal(
        digits.Y, digits.images[:, middle, middle].reshape(len(digits.Y), -1)
    )
    np.testing.assert_array_equal(assemble_digits(digits.X, digits.Y), digits.images)
    np.testing.assert_array_equal(digits.target, original.target)


def test_masks_tell_inputs_from_outputs():
    digits = load_digits_reconstruction()
    np.testing.assert_array_equal(digits.border_mask, ~digits.centre_mask)
    np.testing.assert_array_equal(digits.X, digits.images[:, digits.border_mask])
    np.testing.assert_array_equal(digits.Y, digits.images[:, digits.centre_mask])


def test_shapes_and_range():
    digits = load_digits_reconstruction()
    assert digits.X.shape == (1797, 48)
    assert digits.Y.shape == (1797, 16)
    assert digits.images.min() == 0
    assert digits.images.max() == 1


def test_changing_a_prediction_leaves_the_border_alone():
    digits = load_digits_reconstruction()
    pictures = assemble_digits(digits.X[:3], np.full((3, 16), 0.5))
    np.testing.assert_array_equal(pictures[:, digits.border_mask], digits.X[:3])
    assert (pictures[:, digits.centre_mask] == 0.5).all()


@pytest.mark.parametrize(
    ("border", "error", "message"),
    [
        (0, ValueError, "border must be one of 1, 2, 3; got 0"),
        (4, ValueError, "border must be one of 1, 2, 3; got 4"),
        (2.0, TypeError, "border must be an integer; got 2.0"),
    ],
)
def test_bad_border(border, error, message):
    with pytest.raises(error, match=message):
        load_digits_reconstruction(border=border)


@pytest.mark.parametrize("columns", [(28, 16), (60, 36), (47, 17), (39, 25)])
def test_pixels_that_do_not_make_up_a_picture(columns):
    n_border, n_centre = columns
    with pytest.raises(ValueError, match=rf"28, 36.*48, 16.*60, 4.*got \({n_border}, {n_centre}"):
        assemble_digits(np.zeros((2, n_border)), np.zeros((2, n_centre)))


def test_different_numbers_of_pictures():
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        assemble_digits(np.zeros((2, 48)), np.zeros((3, 16)))
