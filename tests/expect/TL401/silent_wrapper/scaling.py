"""A wrapper does scale, backward, unscale, clip, step and update."""

import torch


class Stepper:
    state_key = "amp"

    def __init__(self):
        self._inner = torch.cuda.amp.GradScaler()

    def __call__(self, loss, optimizer, clip=None, parameters=None, update=True):
        self._inner.scale(loss).backward()
        if update:
            if clip is not None:
                self._inner.unscale_(optimizer)
                torch.nn.utils.clip_grad_norm_(parameters, clip)
            self._inner.step(optimizer)
            self._inner.update()


class Updater:
    """Owns the precision of the run; scaled or not."""

    def __init__(self, optimizer, half):
        self.optimizer = optimizer
        self.multiplier = torch.amp.GradScaler("cuda", enabled=half)

    def differentiate(self, loss):
        loss = self.multiplier.scale(loss)
        loss.backward()

    def apply(self):
        self.multiplier.step(self.optimizer)
        self.multiplier.update()
