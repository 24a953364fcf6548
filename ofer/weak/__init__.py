"""Weak samples: only something about their outputs is known."""
