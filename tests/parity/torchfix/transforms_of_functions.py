"""functorch, which is part of PyTorch."""

import functorch
import torch
from functorch import jvp, vjp, vmap


def derivatives(f, x):
    rows = vmap(f)(x)
    back = vjp(f, x)
    forth = jvp(f, (x,), (x,))
    one = functorch.grad(f)
    two = functorch.jacrev(f)
    three = functorch.jacfwd(f)
    four = functorch.hessian(f)
    five = functorch.functionalize(f)
    assert torch.is_tensor(x)
    return rows, back, forth, one, two, three, four, five
