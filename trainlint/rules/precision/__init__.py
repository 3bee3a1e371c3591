"""TL4: precision and numerics."""
