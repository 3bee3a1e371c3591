"""The norms of the gradients are put together on the host, far from the loop."""

import torch_xla.core.xla_model as xm

from norms import Optimizer, norm_of


class Trainer:
    def __init__(self, model, config):
        self.model = model
        self.config = config
        self._optimizer = None

    @property
    def optimizer(self):
        if self._optimizer is None:
            self._optimizer = Optimizer.build(self.config)
        return self._optimizer

    def train_step(self, batch):
        self.model(batch).sum().backward()
        self.clip_grad_norm(1.0)
        before = norm_of(self.model)
        self.optimizer.step()
        xm.mark_step()
        return before

    def clip_grad_norm(self, most):
        return self.optimizer.clip_grad_norm(most)
