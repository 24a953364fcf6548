"""Do samples without outputs help? Local structured predictors, a companion."""
