"""Generated data of the companion papers; those of the paper itself are in ofer.datasets."""
