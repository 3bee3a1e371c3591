"""The training step: gradients, optimizers, schedulers and scalers over the paths of a round."""
