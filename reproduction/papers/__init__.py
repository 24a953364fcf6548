"""What belongs to one paper each."""
