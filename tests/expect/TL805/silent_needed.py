"""Weights that go elsewhere, scores that are needed or learned, other sums: LXMERT, SwinV2, Swin, DynamicViT, XCiT, Transformer-XL, T2T."""

import math

import torch
from torch import nn
from torch.nn import functional as F


class Layer(nn.Module):
    def __init__(self, heads):
        super().__init__()
        self.logit_scale = nn.Parameter(torch.zeros(heads, 1, 1))
        self.mix = nn.Linear(heads, heads)

    def returns_scores(self, q, k, v):
        scores = torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(64)
        return torch.matmul(torch.softmax(scores, dim=-1), v), scores

    def learned(self, q, k, v):
        scores = q @ k.transpose(-2, -1) * torch.clamp(self.logit_scale, max=4.6).exp()
        return scores.softmax(dim=-1) @ v

    def windows(self, q, k, v, mask, count):
        scores = q @ k.transpose(-2, -1)
        if mask is not None:
            scores = scores.view(-1, count, 8, 49, 49) + mask
            scores = F.softmax(scores.view(-1, 8, 49, 49), dim=-1)
        else:
            scores = F.softmax(scores, dim=-1)
        return scores @ v

    def by_policy(self, q, k, v, policy):
        scores = q @ k.transpose(-2, -1)
        weights = scores.softmax(dim=-1) if policy is None else self.weigh(scores, policy)
        return weights @ v

    def mixed(self, q, k, v):
        weights = (q @ k.transpose(-2, -1)).softmax(dim=-1)
        return self.mix(weights.permute(0, 2, 3, 1)).permute(0, 3, 1, 2) @ v

    def relative(self, q, k, v, positions):
        scores = torch.einsum("ibnd,jbnd->bnij", q, k) + torch.einsum("ibnd,jnd->bnij", q, positions)
        return torch.einsum("bnij,jbnd->ibnd", F.softmax(scores, dim=3), v)

    def as_asked(self, q, k, v, output_attentions=False):
        weights = F.softmax(torch.matmul(q, k.transpose(2, 3)), dim=-1)
        result = torch.matmul(weights, v)
        return (result, weights) if output_attentions else (result,)

    def watched(self, q, k, v):
        weights = self.watch((q @ k.mT).softmax(dim=-1))
        return weights @ v


def over_keys(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1), dim=-2) @ v


def linear(q, k, v):
    return q.softmax(dim=-1) @ (k.softmax(dim=-2).transpose(-2, -1) @ v)


def naive_attention(q, k, v):
    return (q @ k.transpose(-2, -1)).softmax(dim=-1) @ v
