"""Methods that several tables compare, as values: `reproduction.engine.table` says what that is.

They are on kernel matrices: ``task.X`` is that of the training samples, and ``task.X_test`` has
the values of test samples with these. A file has the methods that change together.
"""
