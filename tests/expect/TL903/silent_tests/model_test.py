# Modelled on: allenai/OLMo (tests in files that end so).
import pytest
import torch


@pytest.mark.gpu
def test_forward():
    torch.use_deterministic_algorithms(True)
    assert torch.nn.Linear(8, 2).cuda() is not None
