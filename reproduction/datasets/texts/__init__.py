"""Texts, words, and vectors of words and of texts."""
