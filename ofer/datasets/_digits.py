"""Reconstruction of handwritten digits: the middle from the border.

1797 grey pictures of 8 x 8 pixels, the test part of the UCI data set "Optical Recognition of
Handwritten Digits" (E. Alpaydin, C. Kaynak, 1998, CC BY 4.0), which comes with scikit-learn. An
input holds the grey values of the pixels less than `border` away from the edge, an output those
of the others, both row by row and scaled from 0..16 to [0, 1].

Fidelity: this task is in none of the papers. It is here because it needs no download.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.datasets import load_digits
from sklearn.utils import Bunch, check_array, check_consistent_length

from ofer.utils.products import quiet
from ofer.utils.validation import check_option, check_real

_SIDE = 8  # pixels; the pictures are square
_MAX_GREY = 16


@quiet
def load_digits_reconstruction(*, border: int = 2) -> Bunch:
    """Load the digits reconstruction task (regression, many outputs), shipped with scikit-learn.

    The outputs, pictures of digits without their border, have clusters that the inputs, the
    borders, tell apart only in part: a small real example for output embeddings.

    Parameters
    ----------
    border : {1, 2, 3}, default=2
        Width of the border in pixels; the middle is a square of ``8 - 2 * border`` pixels a side.

    Returns
    -------
    sklearn.utils.Bunch
        With attributes

        X : ndarray of shape (1797, n_inputs)
            Border pixels row by row, in [0, 1]; 28, 48 or 60.
        Y : ndarray of shape (1797, n_outputs)
            Pixels of the middle row by row, in [0, 1]; 36, 16 or 4.
        target : ndarray of shape (1797,)
            The digits, 0 to 9.
        images : ndarray of shape (1797, 8, 8)
            The whole pictures, in [0, 1].
        border_mask, centre_mask : ndarray of shape (8, 8)
            Which pixels are inputs, and outputs: ``images[:, centre_mask]`` is `Y`.
        DESCR : str
            Description.

    See Also
    --------
    assemble_digits : Puts predictions back into the pictures.

    Examples
    --------
    >>> from ofer.datasets import load_digits_reconstruction
    >>> digits = load_digits_reconstruction()
    >>> digits.X.shape, digits.Y.shape
    ((1797, 48), (1797, 16))
    """
    check_real("border", border, integer=True)
    check_option("border", border, (1, 2, 3))
    pictures = load_digits()
    images = pictures.images / _MAX_GREY
    centre_mask = _centre_mask(_SIDE - 2 * border)
    return Bunch(
        X=images[:, ~centre_mask],
        Y=images[:, centre_mask],
        target=pictures.target,
        images=images,
        border_mask=~centre_mask,
        centre_mask=centre_mask,
        DESCR=__doc__,
    )


@quiet
def assemble_digits(border: ArrayLike, centre: ArrayLike) -> NDArray:
    """Assemble pictures of digits from the borders and middles of the reconstruction task.

    Parameters
    ----------
    border : array-like of shape (n_samples, 28), (n_samples, 48) or (n_samples, 60)
        Border pixels, as in ``load_digits_reconstruction().X``.
    centre : array-like of shape (n_samples, 36), (n_samples, 16) or (n_samples, 4)
        Pixels of the middles of the same pictures, for example predictions.

    Returns
    -------
    ndarray of shape (n_samples, 8, 8)
        Pictures.

    Examples
    --------
    >>> import numpy as np
    >>> from ofer.datasets import assemble_digits, load_digits_reconstruction
    >>> digits = load_digits_reconstruction()
    >>> np.array_equal(assemble_digits(digits.X, digits.Y), digits.images)
    True
    """
    border = check_array(border, dtype=np.float64, input_name="border")
    centre = check_array(centre, dtype=np.float64, input_name="centre")
    check_consistent_length(border, centre)
    columns = (border.shape[1], centre.shape[1])
    check_option("the columns of (border, centre)", columns, ((28, 36), (48, 16), (60, 4)))
    centre_mask = _centre_mask(math.isqrt(centre.shape[1]))
    images = np.empty((len(border), _SIDE, _SIDE))
    images[:, ~centre_mask] = border
    images[:, centre_mask] = centre
    return images


def _centre_mask(side: int) -> NDArray:
    """Mask of the `side` x `side` pixels in the middle of a picture."""
    return np.pad(np.ones((side, side), dtype=bool), (_SIDE - side) // 2)
