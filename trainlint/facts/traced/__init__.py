"""What runs under a compiler or a transformation, in any library: ``jit``, ``tf.function``, ``torch.compile``, CUDA graphs."""
