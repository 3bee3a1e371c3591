"""A fused way beside the one that is written out."""

import torch.nn.functional as F


def attend(self, q, k, v):
    if self.fused:
        return F.scaled_dot_product_attention(q, k, v)
    return (q @ k.transpose(-2, -1)).softmax(dim=-1) @ v
