"""Tests of an optimizer look at what it does, and leave the gradients as they are."""
# Modelled on pytorch/ao.

import torch
from torch.testing._internal import common_utils


class TestPruned(common_utils.TestCase):
    def test_steps(self):
        model = torch.nn.Linear(4, 4)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(3):
            model(torch.randn(2, 4)).sum().backward()
            optimizer.step()
        for child in model.children():
            self.assertEqual(child.weight.unique().numel(), 3)
