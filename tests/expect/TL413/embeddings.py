"""Embeddings, advantages and directions that are normalised by hand."""

import torch
from torch import nn


class TwoTowers(nn.Module):
    def __init__(self, image, text, scale):
        super().__init__()
        self.image, self.text, self.scale = image, text, scale

    def forward(self, images, texts):
        images, texts = self.image(images), self.text(texts)
        images = images / images.norm(p=2, dim=1, keepdim=True)  # expect: TL413
        texts = texts / torch.linalg.norm(texts, dim=1, keepdim=True)  # expect: TL413
        return self.scale * torch.matmul(images, texts.t())


def update(policy, optimizer, states, advantages):
    advantages = (advantages - advantages.mean()) / advantages.std()  # expect: TL413
    loss = -(policy(states) * advantages).mean()
    loss.backward()
    optimizer.step()


def directions(points):
    length = torch.norm(points, dim=-1)  # expect: TL413
    return torch.cat([points / length.unsqueeze(-1), points], dim=-1)
