"""What OFER gains over ridge regression in all tables that compare the two, and by what."""
