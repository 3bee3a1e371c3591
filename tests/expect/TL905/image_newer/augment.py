"""The image of July 2023 has PyTorch 2.1, which asks for `indexing` at each call; a name that 2.4 deprecates is not old there."""

import torch


def grid(n):
    dtype = torch.get_autocast_gpu_dtype()
    return [each.to(dtype) for each in torch.meshgrid(torch.arange(n), torch.arange(n))]  # expect: TL905
