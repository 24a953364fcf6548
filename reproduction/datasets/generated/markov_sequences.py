"""Generated sequences whose class is in the order of what happens."""

import numpy as np
from sklearn.utils import Bunch, check_random_state

from reproduction.checks import check_real

__all__ = ["make_markov_sequences"]


def make_markov_sequences(
    n_samples=120,
    *,
    n_classes=2,
    min_steps=10,
    max_steps=20,
    persistence=0.8,
    noise=0.5,
    random_state=None,
):
    r"""Generate sequences of points that walk around a polygon, each class in its own way.

    A hidden state moves among n_classes + 1 places on the unit circle. At each step it stays with
    probability `persistence`; otherwise a sequence of class c advances by c + 1 places. What is
    seen is the place, with normal noise. In the long run all classes are at all places equally
    often, unless a stride only reaches some of them: they differ in the order of the places. The
    default's two classes walk around a triangle in opposite senses.

    Parameters
    ----------
    n_samples : int, default=120
        Number of sequences; classes take turns.
    n_classes : int, default=2
        Number of classes.
    min_steps, max_steps : int, default=10, 20
        Range of the lengths, both ends included.
    persistence : float, default=0.8
        Probability to stay, at least 0 and below 1.
    noise : float, default=0.5
        Standard deviation of the noise in each of the two coordinates.
    random_state : int, RandomState instance or None, default=None
        Draws everything; pass an int for the same data at each call.

    Returns
    -------
    sklearn.utils.Bunch
        With attributes

        sequences : list of ndarray of shape (n_steps, 2)
            What is seen.
        y : ndarray of shape (n_samples,)
            Classes 0, 1, ...
        paths : list of ndarray of shape (n_steps,)
            Hidden states.
        means : ndarray of shape (n_classes + 1, 2)
            The places.
        DESCR : str
            Description.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of its type or out of its range.

    See Also
    --------
    ofer.companions.FisherKernelLearner : Learns to tell the classes apart.

    Examples
    --------
    >>> from reproduction.datasets.generated.markov_sequences import make_markov_sequences
    >>> data = make_markov_sequences(4, random_state=0)
    >>> len(data.sequences), data.sequences[0].shape[1], data.y.tolist()
    (4, 2, [0, 1, 0, 1])
    """
    check_real("n_samples", n_samples, at_least=1, integer=True)
    check_real("n_classes", n_classes, at_least=1, integer=True)
    check_real("min_steps", min_steps, at_least=1, integer=True)
    check_real("max_steps", max_steps, at_least=min_steps, integer=True)
    check_real("persistence", persistence, at_least=0, below=1)
    check_real("noise", noise, at_least=0)

    rng = check_random_state(random_state)
    n_states = n_classes + 1
    angles = 2 * np.pi * np.arange(n_states) / n_states
    means = np.column_stack([np.cos(angles), np.sin(angles)])
    y = np.arange(n_samples) % n_classes
    lengths = rng.randint(min_steps, max_steps + 1, size=n_samples)
    sequences, paths = [], []
    for label, length in zip(y, lengths, strict=True):
        strides = (label + 1) * (rng.uniform(size=length) >= persistence)
        strides[0] = rng.randint(n_states)
        path = np.cumsum(strides) % n_states
        paths.append(path)
        sequences.append(means[path] + noise * rng.normal(size=(length, 2)))
    return Bunch(
        sequences=sequences,
        y=y,
        paths=paths,
        means=means,
        DESCR=(
            f"{n_samples} sequences of {min_steps} to {max_steps} points near {n_states} places "
            f"on the unit circle. A sequence stays with probability {persistence}, or advances by "
            f"one place in class 0, two in class 1, and so on; noise {noise}. Generated; in none "
            "of the papers.\n"
        ),
    )
