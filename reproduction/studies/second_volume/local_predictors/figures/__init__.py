"""Figures of the chapters on local structured predictors."""
