"""A test of software: the two steps are what the one is compared with (huggingface/trl).."""

import pytest
import torch


class TestEntropy:
    @pytest.mark.parametrize("shape", [(8,), (2, 8)])
    def test_two_steps(self, shape):
        logits = torch.randn(*shape, dtype=torch.float64, requires_grad=True)
        probabilities = logits.softmax(-1)
        entropy = -torch.sum(probabilities * probabilities.log(), dim=-1)
        assert entropy.shape == shape[:-1]
