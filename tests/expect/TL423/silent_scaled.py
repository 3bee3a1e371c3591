"""Gradients of inputs that are scaled, or computed in another precision."""

from contextlib import nullcontext as nothing

import torch
from torch.nn import functional


def scaled(model, x, y, scaler):
    with torch.autocast("cuda"):
        loss = functional.cross_entropy(model(x), y)
    grads = torch.autograd.grad(scaler.scale(loss), x, create_graph=True)[0]
    return grads / scaler.get_scale()


def scaled_before(critic, x, scaler):
    with torch.autocast("cuda"):
        loss = scaler.scale(critic(x).sum())
    grads = torch.autograd.grad(outputs=loss, inputs=x)
    return [each / scaler.get_scale() for each in grads]


def in_bfloat16(model, x, y):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = functional.cross_entropy(model(x), y)
    return torch.autograd.grad(loss, x)[0]


def in_float32(critic, generator, noise):
    with torch.autocast("cuda"):
        fake = generator(noise)
    with torch.autocast("cuda", enabled=False):
        x = fake.float().detach().requires_grad_()
        out = critic(x)
        return torch.autograd.grad(out, x, torch.ones_like(out))[0]


def by_hand(model, x, y, scale):
    with torch.autocast("cuda"):
        loss = functional.cross_entropy(model(x), y)
    return torch.autograd.grad(loss * scale, x)[0] / scale


def without_autocast(model, x, y):
    x.requires_grad_()
    functional.cross_entropy(model(x), y).backward()
    return x.grad.sign()


def weighted(model, x, cotangent):
    with torch.autocast("cuda"):
        out = model(x)
    return torch.autograd.grad(out, x, grad_outputs=cotangent)[0]


class EitherWay:
    """The penalty is only asked for where autocast is off: the tests exclude each other."""

    def step(self, x, y, lazily):
        with torch.autocast("cuda") if self.config.mixed and not self.exact else nothing():
            out = self.critic(x)
            if self.config.penalty and not self.exact:
                self.loss = functional.cross_entropy(out, y)
            elif self.config.penalty and lazily:
                self.loss = gradient_norm(self.critic(x), x)


def gradient_norm(out, x):
    return torch.autograd.grad([out.sum()], [x], create_graph=True)[0].norm()
