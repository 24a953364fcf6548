"""Figures of the chapter on label ranking."""
