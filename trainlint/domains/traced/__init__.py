"""Functions that a compiler traces, and what runs in them."""
