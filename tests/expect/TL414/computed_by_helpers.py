"""What is put under a root is computed by a function beside, with and without something that keeps it from 0."""

import torch


def squared_distances(points, centers):
    return ((points - centers) ** 2).sum(dim=-1)


def smooth_distances(points, centers):
    return ((points - centers) ** 2).sum(dim=-1) + 1e-8


def pull(points, centers):
    return torch.sqrt(squared_distances(points, centers)).mean()  # expect: TL414


def smooth_pull(points, centers):
    return torch.sqrt(smooth_distances(points, centers)).mean()
