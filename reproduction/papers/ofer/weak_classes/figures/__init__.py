"""Figures of the chapter on weak labels that leave classes open."""
