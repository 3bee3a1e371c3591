"""The environment that the project exported has PyTorch 1.7, which has no `torch.linalg.solve` yet: facebookresearch/AudioMAE."""

import torch


def orthogonal(a, b):
    x, _ = torch.solve(b, a)
    u, s, v = torch.svd(x)
    return u @ v.t(), torch.norm(s)
