"""TL7: the training loop."""
