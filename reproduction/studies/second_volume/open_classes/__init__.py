"""What do weak labels tell that leave a class open? Not in the paper."""
