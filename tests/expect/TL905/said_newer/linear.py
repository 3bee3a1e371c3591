"""The version of which the text speaks deprecates these, or no longer has them."""

import torch


def orthogonal(a, b):
    x, _ = torch.solve(b, a)  # expect: TL905
    u, s, v = torch.svd(x)  # expect-likely: TL905
    return u @ v.t(), s
