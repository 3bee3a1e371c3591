"""Logarithms of probabilities: their exponentials are at most 1 (axolotl)."""

import torch


def renormalised(position_logprobs):
    logprobs = torch.tensor(position_logprobs, dtype=torch.float)
    probabilities = logprobs.exp()
    total = probabilities.sum(dim=0, keepdim=True)
    return probabilities / total
