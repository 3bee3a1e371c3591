"""The training step: what is done to gradients in one round of a loop, in which order and to which optimizer."""
