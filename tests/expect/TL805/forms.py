"""Rows of a batched product, a bias that depends on a test, drops in place of none, as in FastPitch, TinyViT, torchtune, latent-diffusion."""

import math

import torch
from einops import rearrange
from torch import einsum, nn


class Rows(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.scale = 1 / (size**0.5)
        self.drop = nn.Dropout(0.1)

    def forward(self, q, k, v, mask=None):
        score = torch.bmm(q, k.transpose(1, 2))
        score.mul_(self.scale)
        if mask is not None:
            score.masked_fill_(mask.to(torch.bool), -float("inf"))
        weights = self.drop(nn.functional.softmax(score, dim=2))  # expect: TL805
        return torch.bmm(weights, v)


class Biased(nn.Module):
    def __init__(self, heads, places):
        super().__init__()
        self.biases = nn.Parameter(torch.zeros(heads, places))

    def forward(self, q, k, v, places):
        attn = (q @ k.transpose(-2, -1)) * 0.125 + (self.biases[:, places] if self.training else self.known)
        return attn.softmax(dim=-1) @ v  # expect: TL805


def positions(q, k, v, bias):
    score = torch.matmul(q, k.transpose(-2, -1))
    score += bias
    weight = torch.softmax(score.float(), dim=-1).to(score.dtype)  # expect: TL805
    return torch.matmul(weight, v)


def across(q, k, v, heads, mask=None):
    q, k, v = (rearrange(each, "b n (h d) -> (b h) n d", h=heads) for each in (q, k, v))
    sim = einsum("b i d, b j d -> b i j", q, k) / math.sqrt(q.shape[-1])
    if mask is not None:
        sim = sim.masked_fill(~mask, -torch.finfo(sim.dtype).max)
    attn = sim.softmax(dim=-1)  # expect: TL805
    return einsum("b i j, b j d -> b i d", attn, v)
