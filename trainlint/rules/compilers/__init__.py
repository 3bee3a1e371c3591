"""TL5: what compilers make of a program: XLA, JAX, TensorFlow, torch.compile."""
