"""Checkpoints that are right, or of which nobody can say."""

import torch
import torch.utils.checkpoint as cp
from torch import nn
from torch.utils.data import DataLoader


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x, mask=None):
        return self.linear(x)


class Usual(nn.Module):
    """The embedding is trained."""

    def __init__(self, width, depth):
        super().__init__()
        self.embed = nn.Embedding(1000, width)
        self.position = nn.Parameter(torch.zeros(1, 1, width))
        self.blocks = nn.ModuleList([Block(width) for _ in range(depth)])

    def forward(self, ids):
        x = self.embed(ids)
        for block in self.blocks:
            x = cp.checkpoint(block, x)  # trainlint: ignore[TL306]
        return x


class LearnedPositions(nn.Module):
    """The words are frozen, the positions are not."""

    def __init__(self, vectors, width):
        super().__init__()
        self.words = nn.Embedding.from_pretrained(vectors)
        self.position = nn.Parameter(torch.zeros(1, 1, width))
        self.block = Block(width)

    def forward(self, ids):
        return cp.checkpoint(self.block, self.words(ids) + self.position, use_reentrant=True)


class Tuned(nn.Module):
    """These vectors are trained further."""

    def __init__(self, vectors, width):
        super().__init__()
        self.words = nn.Embedding.from_pretrained(vectors, freeze=False)
        self.block = Block(width)

    def forward(self, ids):
        return cp.checkpoint(self.block, self.words(ids), use_reentrant=True)


class Told(nn.Module):
    """Frozen only when somebody says so, and what is frozen may be the block."""

    def __init__(self, width, freeze):
        super().__init__()
        self.table = nn.Embedding(1000, width)
        if freeze:
            for parameter in self.table.parameters():
                parameter.requires_grad = False
        self.block = Block(width)

    def forward(self, ids):
        return cp.checkpoint(self.block, self.table(ids), use_reentrant=True)


class Again(nn.Module):
    """Frozen at first, and trained later."""

    def __init__(self, width):
        super().__init__()
        self.lookup = nn.Embedding(1000, width)
        self.lookup.requires_grad_(False)
        self.block = Block(width)

    def thaw(self):
        self.lookup.requires_grad_(True)

    def forward(self, ids):
        return cp.checkpoint(self.block, self.lookup(ids), use_reentrant=True)


class FrozenBlock(nn.Module):
    """Nobody wants gradients of this block: only what follows is trained."""

    def __init__(self, width):
        super().__init__()
        self.trunk = Block(width)
        self.trunk.requires_grad_(False)
        self.head = nn.Linear(width, 2)

    def forward(self, x):
        return self.head(cp.checkpoint(self.trunk, x.detach(), use_reentrant=True))


class FirstPlain(nn.Module):
    """The first layer runs by itself, so that the others have something to go by."""

    def __init__(self, vectors, width, depth):
        super().__init__()
        self.given = nn.Embedding.from_pretrained(vectors)
        self.blocks = nn.ModuleList([Block(width) for _ in range(depth)])

    def forward(self, ids):
        x = self.given(ids)
        for number, block in enumerate(self.blocks):
            x = cp.checkpoint(block, x, use_reentrant=True) if number > 0 else block(x)
        return x


class Evaluated(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.stem = Block(width)

    @torch.no_grad()
    def forward(self, x):
        return cp.checkpoint(self.stem, x, use_reentrant=True)


def attack(dataset, width):
    model = Evaluated(width)
    for x in DataLoader(dataset, batch_size=4):
        model(x)
