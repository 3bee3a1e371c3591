"""Bounded exponents, masks, and sums of other things."""

import torch


def window(size, sigma, channels):
    coordinates = torch.arange(size, dtype=torch.float32) - (size - 1) / 2.0
    g = coordinates**2
    g = (-(g.unsqueeze(0) + g.unsqueeze(1)) / (2 * sigma**2)).exp()
    g /= g.sum()
    kernel = torch.exp(-((coordinates - 1) ** 2) / (2 * sigma**2))
    kernel = kernel / kernel.sum()
    return g.unsqueeze(0).repeat(channels, 1, 1), kernel


def subtracted(logits):
    top, _ = torch.max(logits, dim=1, keepdim=True)
    stable = torch.exp(logits - top)
    return stable / stable.sum(dim=1, keepdim=True)


def library(logits):
    probabilities = torch.softmax(logits, -1)
    kept = probabilities * (probabilities > 0.1)
    return kept / kept.sum(-1, keepdim=True)


def neighbours(distances, width):
    weights = torch.exp(-distances / width)
    return weights / weights.sum(dim=-1, keepdim=True)


def info(similar, positive):
    return torch.exp(positive) / (torch.exp(positive) + torch.exp(similar).sum(dim=-1))


def picked(logits, ids):
    logits = logits - logits.max(dim=-1, keepdim=True).values
    weights = logits[torch.arange(len(logits)), ids].clone().contiguous().exp()
    total = weights.sum(-1, keepdim=True)
    return weights / total


def chosen(logits, ids, full, gather):
    logits = logits - logits.max(dim=-1, keepdim=True).values
    kept = torch.topk(gather(logits), 8)[0] if full else logits[torch.arange(len(logits)), ids].view_as(ids)
    weights = kept.exp()
    total = weights.sum(-1, keepdim=True)
    return weights / total
