"""TL0: what the linter says of itself. The engine finds these; the modules declare them."""
