"""As in huggingface/diffusers, facebookresearch/fairseq, microsoft/Swin-Transformer, aqlaboratory/openfold."""

import torch
import torch.utils.checkpoint as cp
from torch.utils import checkpoint


class Block:
    def __init__(self, layer, with_cp):
        self.layer, self.with_cp = layer, with_cp

    def forward(self, x):
        def inner(x):
            return self.layer(x)

        return cp.checkpoint(inner, x) if self.with_cp and x.requires_grad else inner(x)  # expect: TL306


def layers(blocks, x, *masks):
    for block in blocks:
        x = checkpoint.checkpoint(block, x, *masks)  # expect: TL306
    return checkpoint.checkpoint_sequential(blocks, 4, x, preserve_rng_state=True)  # expect: TL306


def custom(module, hidden):
    def create(module):
        return lambda *inputs: module(*inputs)

    return torch.utils.checkpoint.checkpoint(create(module), hidden)  # expect: TL306
