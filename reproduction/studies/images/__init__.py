"""What is on an image, from few examples? Tables 11 to 14 (section 6.5)."""
