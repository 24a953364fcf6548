"""Semi-supervised learning of local structured predictors."""
