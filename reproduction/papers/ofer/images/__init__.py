"""Section 6.5: classification of images by the vectors of their classes."""
