"""The two scalings of innovations: as they are, and as the score has them."""

import numpy as np


class _Natural:
    """Innovations in the unit of the outputs."""

    def encode(self, innovations, covariance):
        """Block of innovations."""
        return innovations

    def decode(self, block, covariance):
        """Innovations of a block."""
        return block


class _Score:
    """Innovations times the inverse of their covariance: a matrix, its diagonal or a number."""

    def encode(self, innovations, covariance):
        """Block of innovations (..., k)."""
        if covariance.ndim < 2:
            return innovations / covariance
        flat = innovations.reshape(-1, len(covariance))
        return np.linalg.solve(covariance, flat.T).T.reshape(innovations.shape)

    def decode(self, block, covariance):
        """Innovations of a block (..., k)."""
        return block * covariance if covariance.ndim < 2 else block @ covariance


SCALINGS: dict[str, _Natural | _Score] = {"natural": _Natural(), "score": _Score()}
