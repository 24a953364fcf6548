"""Animals with Attributes."""

from reproduction.studies.second_volume.open_classes.image_tables import declare_images

__all__ = ["EXPERIMENT"]

EXPERIMENT = declare_images("awa", (1, 5, 14))
