"""Objects that a configuration names, and whoever makes them."""
