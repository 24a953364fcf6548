"""Caltech-101."""

from reproduction.studies.open_classes.image_tables import declare_images

__all__ = ["EXPERIMENT"]

EXPERIMENT = declare_images("caltech101", (1, 3, 10))
