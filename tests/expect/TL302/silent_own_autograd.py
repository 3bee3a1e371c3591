"""A class that is no tensor of a library, with a `backward` of its own: what it computes has no graph of PyTorch's."""

import numpy as np


class Tensor:
    def __init__(self, data, requires_grad=True, grad_fn=None):
        self.data = np.asarray(data)
        self.grad = np.zeros_like(self.data)
        self.requires_grad = requires_grad
        self.grad_fn = grad_fn

    def backward(self, grad=None, child=None):
        if self.requires_grad:
            self.grad += grad

    def reshape(self, shape):
        def _reshape_backward(grad, child, shape=shape):
            if self.requires_grad:
                own = grad.reshape(shape)
                self.backward(own, child)

        return Tensor(self.data.reshape(shape), grad_fn=_reshape_backward)
