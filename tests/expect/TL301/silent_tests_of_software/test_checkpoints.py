"""A class of tests of software: its steps are compared, and over soon (NVIDIA/TransformerEngine)."""

import pytest
import torch


class TestCheckpointing:
    @pytest.mark.parametrize("steps", [3])
    def test_linear(self, steps):
        self.compare(steps)

    def compare(self, steps):
        model = torch.nn.Linear(4, 4)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.25)
        saved = []
        for _ in range(steps):
            optimizer.zero_grad()
            loss = model(torch.randn(2, 4)).sum()
            loss.backward()
            optimizer.step()
            saved.append(loss)
        return saved
