"""A method of the project with the name of the generator's returns a list: that can be gone through again."""

import torch
from torch.nn.utils import clip_grad_norm_


def of_a_group_that_returns_a_list(group):
    weights = Listed(group).parameters()
    optimizer = torch.optim.SGD(weights, lr=0.1)
    clip_grad_norm_(weights, 1.0)
    return optimizer


class Listed:
    def __init__(self, models):
        self.models = models

    def parameters(self):
        return [weight for model in self.models for weight in model.parameters()]
