"""Which tensors hold an autograd graph, and what keeps them: values with a life."""
