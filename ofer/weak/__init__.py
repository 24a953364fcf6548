"""Targets of weak samples, which are guessed, learnt, and guessed again."""
