"""Blocks behind frozen parts, in closures and in lists, the way encoders of text, images and video are written."""

import torch
import torch.utils.checkpoint as cp
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x, attention_mask=None):
        return x + self.mlp(self.norm(x))


class Encoder(nn.Module):
    """Its embeddings are frozen where it is made."""

    def __init__(self, vocabulary, width, depth):
        super().__init__()
        self.embeddings = nn.Embedding(vocabulary, width)
        for parameter in self.embeddings.parameters():
            parameter.requires_grad = False
        self.layers = nn.ModuleList([Block(width) for _ in range(depth)])
        self.gradient_checkpointing = False

    def forward(self, input_ids, attention_mask):
        hidden = self.embeddings(input_ids)
        for layer in self.layers:
            if self.gradient_checkpointing and self.training:

                def create(module):
                    def custom_forward(*inputs):
                        return module(*inputs)

                    return custom_forward

                hidden = cp.checkpoint(create(layer), hidden, attention_mask)  # expect: TL306, TL311
            else:
                hidden = layer(hidden, attention_mask)
        return hidden


class Patches(nn.Module):
    """Patches that are projected by a frozen stem, as MoCo v3 does."""

    def __init__(self, width):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 16, 16)
        self.stem.weight.requires_grad_(False)
        self.stem.requires_grad_(False)
        self.first = Block(width)
        self.rest = Block(width)

    def forward(self, pixels_mask):
        patches = self.stem(pixels_mask).flatten(2).transpose(1, 2)
        return self.rest(cp.checkpoint(self.first, patches, use_reentrant=True))  # expect: TL311


class Adapter(nn.Module):
    """What the teacher computed is cut off, then adapted."""

    def __init__(self, teacher, width):
        super().__init__()
        self.teacher = teacher
        self.adapter = Block(width)

    def _adapt(self, features):
        return self.adapter(features)

    def forward(self, clip):
        features = self.teacher(clip).detach()
        return cp.checkpoint(self._adapt, features)  # expect: TL306, TL311


@torch.no_grad()
def extract(backbone, images):
    return backbone(images)


class Head(nn.Module):
    def __init__(self, backbone, width):
        super().__init__()
        self.backbone = backbone
        self.neck = Block(width)

    def forward(self, images):
        features = extract(self.backbone, images)
        return cp.checkpoint(lambda x: self.neck(x), features)  # expect: TL306, TL311
