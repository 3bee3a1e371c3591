"""Which tensors hold an autograd graph, what keeps them, and where gradients are not needed."""
