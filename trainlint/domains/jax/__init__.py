"""What the program does with JAX."""
