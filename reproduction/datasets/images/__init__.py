"""Images, as features or pixels."""
