"""How chapters are executed and pages are rendered."""
