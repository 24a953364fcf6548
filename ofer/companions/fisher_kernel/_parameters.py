"""Parameters and their gradients as vectors, and back."""

import numpy as np

__all__ = ["ParameterLayout"]


class ParameterLayout:
    """Order of the parameters in a vector: initial, transition, then those of the emission.

    Matrices are laid out row by row. Of symmetric transitions the upper triangle is free, and the
    derivative in an entry off the diagonal counts both places. Leading axes stay: vectors (n, P)
    are parameters of n objects.

    Parameters
    ----------
    n_states : int
        Number K of hidden states.
    emission_shapes : dict of str to tuple
        Shapes of the emission's parameters.
    symmetric : bool
        Whether transitions are symmetric.
    """

    def __init__(self, n_states, emission_shapes, symmetric):
        self.n_states, self.symmetric = n_states, symmetric
        upper = np.tri(n_states, dtype=bool).T if symmetric else np.ones((n_states, n_states), bool)
        self.rows, self.columns = np.nonzero(upper)
        self.shapes = {"initial": (n_states,), "transition": self.rows.shape, **emission_shapes}
        ends = np.cumsum([np.prod(shape) for shape in self.shapes.values()]).tolist()
        starts = [0, *ends[:-1]]
        self.blocks = {
            name: slice(start, end)
            for name, start, end in zip(self.shapes, starts, ends, strict=True)
        }
        self.size = ends[-1]

    def unpack(self, vector):
        """Dict of the parameters in a vector (..., P)."""
        lead = vector.shape[:-1]
        parameters = {
            name: vector[..., block].reshape(lead + self.shapes[name])
            for name, block in self.blocks.items()
        }
        transition = np.empty((*lead, self.n_states, self.n_states))
        transition[..., self.rows, self.columns] = parameters["transition"]
        if self.symmetric:
            transition[..., self.columns, self.rows] = parameters["transition"]
        return parameters | {"transition": transition}

    def flatten(self, parameters):
        """Vector (..., P) of parameters."""
        free = parameters["transition"][..., self.rows, self.columns]
        return self.join(parameters | {"transition": free})

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
