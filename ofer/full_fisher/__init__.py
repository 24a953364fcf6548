"""The full Fisher vector as an output embedding, whose pre-image has no closed form."""

from ofer.full_fisher.embedding import FullFisherEmbedding

__all__ = ["FullFisherEmbedding"]
