"""What does each part of the embedding do? Statements, ablation, and figures of chapters 1 to 5."""
