"""Are sketches of kernels as good and faster? Sketched IOKR, a later paper, on Bibtex."""
