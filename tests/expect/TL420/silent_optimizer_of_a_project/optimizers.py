"""An optimizer around another one: its step clips, then steps the inner one."""

from torch.nn.utils import clip_grad_norm_


class Optimizer:
    def __init__(self, inner, max_grad_norm):
        self.inner, self.max_grad_norm = inner, max_grad_norm

    def zero_grad(self):
        self.inner.zero_grad()

    def step(self):
        for group in self.inner.param_groups:
            if self.max_grad_norm > 0:
                clip_grad_norm_(group["params"], self.max_grad_norm)
        self.inner.step()
