"""What the paper is compared with."""
