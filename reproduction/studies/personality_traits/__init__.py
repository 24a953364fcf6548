"""Which personality do viewers see? Tables 7 and 8, with weak labels (section 6.4.1)."""
