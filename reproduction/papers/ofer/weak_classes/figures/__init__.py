"""Figures of the chapter on weak labels as latent classes."""
