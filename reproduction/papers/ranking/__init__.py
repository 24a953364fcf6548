"""Label ranking by structured prediction: rankings as outputs of kernel ridge regression."""
