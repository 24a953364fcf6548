"""Caltech-101."""

from reproduction.studies.second_volume.open_classes.image_tables import declare_images

__all__ = ["EXPERIMENT"]

EXPERIMENT = declare_images("caltech101", (1, 3, 10))
