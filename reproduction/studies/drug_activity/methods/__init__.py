"""Methods on molecules, as values: `reproduction.engine.table` says what that is."""
