"""Weak labels as latent classes, beyond the paper's section 6.5, and what they compare with."""
