"""A scaler of the project's own, which is told when to step."""

import torch


class Scaler:
    def __init__(self):
        self._scaler = torch.amp.GradScaler("cuda")

    def __call__(self, loss, optimizer, update_grad=True):
        self._scaler.scale(loss).backward()  # expect: TL706
        if update_grad:
            self._scaler.step(optimizer)
            self._scaler.update()
