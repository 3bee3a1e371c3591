"""PyTorch 1.6 to 1.8 have nothing else: as in NVIDIA/apex of that time."""

import torch


def solve(a, b):
    values, vectors = torch.symeig(a, eigenvectors=True)
    y, x = torch.meshgrid(values, values)
    return torch.solve(b, a)[0], torch.svd(vectors), torch.chain_matmul(a, b, a), y, x
