"""Is the Sharma-Mittal family better than its ends? Twin Gaussian processes, a companion."""
