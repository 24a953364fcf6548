"""OFER in a reading, with an EM that goes on for longer."""

import warnings
from dataclasses import dataclass

from ofer import GaussianMixtureEmbedding
from ofer.embeddings import CollapsedComponentWarning
from reproduction.papers.ofer.methods.kernel_readings import MixtureReading

__all__ = ["PatientMixtureReading"]


@dataclass(frozen=True, kw_only=True)
class PatientMixtureReading(MixtureReading):
    """`MixtureReading` with a tolerance and a number of iterations of EM."""

    tol: float
    max_iter: int

    def embed(self, n_components, Y, seed):
        """The mixture of the outputs; in the form as printed with scores as they are."""
        printed = {} if self.alphas == (None,) else {"scaling": "score", "decoder": "raw"}
        options = {"random_state": seed, "tol": self.tol, "max_iter": self.max_iter, **printed}
        with warnings.catch_warnings():
            # Eight components for a hundred clips: the held-out error punishes a collapse.
            warnings.simplefilter("ignore", CollapsedComponentWarning)
            return GaussianMixtureEmbedding(n_components, **options).fit(Y)
