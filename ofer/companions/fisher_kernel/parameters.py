"""Parameters and their gradients as vectors, and back."""

import numpy as np

from ofer.companions._checks import check_numeric
from ofer.utils.entries import check_numbers
from ofer.utils.validation import check_columns

LARGEST_SPREAD = 300  # of transitions, see `Chains`
POTENTIAL_AXES = {"initial": ("n_states",), "transition": ("n_states", "n_states")}


class ParameterLayout:
    """The emission of a model, and the order of its parameters in a vector.

    The initial ones come first, then transitions, then those of the emission, matrices row by
    row. Of symmetric transitions the upper triangle is free, and the derivative in an entry off
    the diagonal counts both places. Leading axes stay: vectors (n, P) are parameters of n objects.
    """

    def __init__(self, emission, symmetric):
        self.emission, self.symmetric = emission, symmetric
        self.n_states = n_states = emission.n_states
        upper = np.tri(n_states, dtype=bool).T if symmetric else np.ones((n_states, n_states), bool)
        self.rows, self.columns = np.nonzero(upper)
        self.shapes = {"initial": (n_states,), "transition": self.rows.shape, **emission.shapes}
        ends = np.cumsum([np.prod(shape) for shape in self.shapes.values()]).tolist()
        starts = [0, *ends[:-1]]
        self.blocks = {
            name: slice(start, end)
            for name, start, end in zip(self.shapes, starts, ends, strict=True)
        }
        self.size = ends[-1]

    def given(self, parameters):
        """The layout of given parameters that evaluates them."""
        return ParameterLayout(self.emission.given(parameters), self.symmetric)

    def unpack(self, vector, shift=0.0, unit=1.0):
        """Dict of the parameters in a vector (..., P).

        If they are of nodes that `shift` was taken from and `unit` has divided, the dict has those
        of nodes as they came.
        """
        lead = vector.shape[:-1]
        parameters = {
            name: vector[..., block].reshape(lead + self.shapes[name])
            for name, block in self.blocks.items()
        }
        transition = np.empty((*lead, self.n_states, self.n_states))
        transition[..., self.rows, self.columns] = parameters["transition"]
        if self.symmetric:
            transition[..., self.columns, self.rows] = parameters["transition"]
        return self.emission.place(parameters | {"transition": transition}, shift, unit)

    def flatten(self, parameters, shift=0.0, unit=1.0):
        """The opposite: vector (..., P) of parameters."""
        free = parameters["transition"][..., self.rows, self.columns]
        framed = self.emission.frame_parameters(parameters, shift, unit)
        return self.join(framed | {"transition": free})

    def names(self):
        """Name of each entry of a vector, such as "transition_0_1"."""
        places = {name: list(np.ndindex(shape)) for name, shape in self.shapes.items()}
        places["transition"] = list(zip(self.rows, self.columns, strict=True))
        return np.array(
            ["_".join([name, *map(str, place)]) for name in places for place in places[name]],
            dtype=object,
        )

    def flatten_gradient(self, gradients):
        """Vector (..., P) of derivatives in all entries."""
        matrix = gradients["transition"]
        free = matrix[..., self.rows, self.columns]
        if self.symmetric:
            mirrored = matrix[..., self.columns, self.rows]
            free = free + np.where(self.rows == self.columns, 0.0, mirrored)
        return self.join(gradients | {"transition": free})

    def join(self, values):
        """Vector (..., P) of blocks as they lie in it, of transitions the free ones."""
        lead = values["initial"].shape[:-1]
        return np.concatenate([values[name].reshape((*lead, -1)) for name in self.shapes], axis=-1)


def complete(kind, n_states, symmetric, n_symbols, old, given):
    """The layout and all parameters by name: given ones, old ones, and zero potentials.

    `kind` is the class of the emissions; widths that are given must be `n_symbols` unless None.
    """
    axes = POTENTIAL_AXES | kind.axes
    arrays = {"initial": np.zeros(n_states), "transition": np.zeros((n_states, n_states))}
    arrays |= {name: array for name, array in old.items() if name in axes}
    for name, value in given.items():
        if name not in axes:
            raise ValueError(
                f"parameters must be among {', '.join(axes)}, for {kind.name} emissions; "
                f"got {name}."
            )
        arrays[name] = _check_parameter(name, value, axes[name], n_states)
    for name in axes:
        if name not in arrays:
            raise ValueError(f"{name} must be given, for {kind.name} emissions; got None.")
    _check_transition(arrays["transition"], symmetric)
    first = next(iter(kind.axes))
    if n_symbols is not None:
        check_columns(first, arrays[first], n_symbols, "n_symbols")
    return ParameterLayout(kind(n_states, arrays[first].shape[1]), symmetric), arrays


def _check_parameter(name, value, axes, n_states):
    """Float array with these axes, finite."""
    check_numeric(**{name: value})
    check_numbers(name, value)
    array = np.array(value, dtype=np.float64)
    sizes = array.shape if array.ndim == len(axes) else [-1] * len(axes)
    given = {size for axis, size in zip(axes, sizes, strict=True) if axis == "n_states"}
    if given != {n_states}:
        raise ValueError(
            f"{name} must have shape ({', '.join(axes)}{',' * (len(axes) == 1)}) with "
            f"n_states={n_states}; got shape {array.shape}."
        )
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite; got {value!r}.")
    return array


def _check_transition(transition, symmetric):
    """Raise ValueError unless the recursions can work with it."""
    spread = np.ptp(transition)
    if spread > LARGEST_SPREAD:
        raise ValueError(
            f"transition must have entries within {LARGEST_SPREAD} of each other (a ratio of "
            f"1e-130 stands for what is forbidden); got a spread of {spread:.4g}."
        )
    if symmetric and not np.array_equal(transition, transition.T):
        raise ValueError("transition must be symmetric, as symmetric=True; got an asymmetric one.")
