"""TL6: checkpoints and resume."""
