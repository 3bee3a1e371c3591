"""What is divided by its norm goes into a matrix product, a comprehension or a text: it is divided all the same."""

import torch
from torch import nn


class Pair(nn.Module):
    def __init__(self, images, texts):
        super().__init__()
        self.images = images
        self.texts = texts

    def of_images(self, x, others):
        found = self.images(x)
        found = found / found.norm(dim=-1, keepdim=True)  # expect: TL413
        return found @ others.t()

    def of_texts(self, x, others):
        found = self.texts(x)
        return 20 * (found / torch.linalg.norm(found, dim=-1, keepdim=True)) @ others.mT @ others  # expect: TL413

    def kept(self, x, others):
        found = self.images(x)
        found = found / found.norm(dim=-1, keepdim=True).clamp_min(1e-6)
        return found @ others.t()

    def tested(self, x, others):
        found = self.images(x)
        length = found.norm()
        if length == 0:
            return found @ others.t()
        return (found / length) @ others.t()


def each(batches):
    return torch.cat([found / found.norm(dim=-1, keepdim=True) for found in batches])  # expect: TL413


def each_kept(batches):
    return torch.cat([found / (found.norm(dim=-1, keepdim=True) + 1e-8) for found in batches])


@torch.no_grad()
def similar(found, others):
    return (found / found.norm(dim=-1, keepdim=True)) @ others.t()
