# As in KellerJordan/modded-nanogpt (an optimizer's update) and NVIDIA/TransformerEngine (statistics of a tensor).
import time
import warnings

import numpy as np
import torch
from torch import Tensor


def spectral_norm(a: Tensor) -> Tensor:
    scale = a.norm(float("inf"))
    if scale == 0:  # expect: TL560
        return scale
    return scale * torch.linalg.vector_norm(a / scale)


@torch.compile
def update(q0: Tensor, v: Tensor, rate=1.0) -> None:
    product = q0 @ v
    assert not torch.isnan(product).any()  # expect: TL560
    q0.sub_(rate / spectral_norm(product) * torch.triu(product) @ q0)


@torch.compile
def dynamic_range(tensor):
    values = tensor.abs()
    values = values[values != 0].float()  # expect: TL560
    return torch.log2(values.min())


def _timed_loss(logits: Tensor, labels: Tensor):
    start = time.time()  # expect: TL560
    total = (logits - labels).square().sum()
    warnings.warn("a slow loss")  # expect: TL560
    return total * np.random.rand(), start  # expect: TL560


loss = torch.compile(_timed_loss, mode="max-autotune", dynamic=False)


class Muon:
    def __init__(self, update_fn=None):
        self.step_fn = torch.compile(self._step)

    def _step(self, g: Tensor, scale: float):
        return g * scale / int(g.abs().max())  # expect: TL560
