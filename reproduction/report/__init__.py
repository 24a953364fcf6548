"""What the paper in `paper` says: numbers, tables, figures, and the sentences that they bear."""
