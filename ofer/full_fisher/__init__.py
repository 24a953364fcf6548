"""The full Fisher vector, whose pre-image has no closed form: what the paper reduces."""

from ofer.full_fisher.embedding import FullFisherEmbedding

__all__ = ["FullFisherEmbedding"]
