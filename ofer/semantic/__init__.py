"""Classification by vectors that describe the classes."""

from ofer.semantic.classifier import SemanticClassifier

__all__ = ["SemanticClassifier"]
