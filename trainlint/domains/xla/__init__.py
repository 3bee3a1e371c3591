"""What runs on XLA."""
