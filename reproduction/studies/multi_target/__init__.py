"""How does OFER do on a benchmark with many targets? Not in the paper."""
