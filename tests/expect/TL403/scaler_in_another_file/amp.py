"""A call that scales, runs the backward pass, measures and steps: but it steps the optimizer itself."""

import torch


class LossScaler:
    def __init__(self):
        self._scaler = torch.amp.GradScaler("cuda")

    def __call__(self, loss, optimizer, parameters=None, create_graph=False, update=True):
        self._scaler.scale(loss).backward(create_graph=create_graph)
        if not update:
            return None
        norm = torch.norm(torch.stack([each.grad.detach().norm() for each in parameters if each.grad is not None]))
        optimizer.step()  # expect: TL403
        self._scaler.update()
        return norm

    def state_dict(self):
        return self._scaler.state_dict()
