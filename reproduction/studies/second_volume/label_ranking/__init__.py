"""Does an embedding of rankings predict them? A later paper, on its benchmark."""
