"""Output models: each embeds outputs, most by their Fisher scores, and decodes embeddings."""

from ofer.embeddings._mixture_fit import CollapsedComponentWarning
from ofer.embeddings._simplex import project_simplex
from ofer.embeddings.base import HasMembership, HasStates, OutputModel
from ofer.embeddings.covariances import full_precisions
from ofer.embeddings.gaussian import GaussianEmbedding
from ofer.embeddings.mixture import GaussianMixtureEmbedding
from ofer.embeddings.ranking import RankingEmbedding
from ofer.embeddings.state_space import StateSpaceEmbedding

__all__ = [
    "CollapsedComponentWarning",
    "GaussianEmbedding",
    "GaussianMixtureEmbedding",
    "HasMembership",
    "HasStates",
    "OutputModel",
    "RankingEmbedding",
    "StateSpaceEmbedding",
    "full_precisions",
    "project_simplex",
]
