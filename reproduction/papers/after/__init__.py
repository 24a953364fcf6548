"""What came after the paper: sketched input output kernel regression."""
