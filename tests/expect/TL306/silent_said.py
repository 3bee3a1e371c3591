"""The argument is there, or may be; other functions: as in huggingface/transformers, deepspeedai, fairscale, jax."""

import functools

import jax
import torch
from fairscale.nn import checkpoint_wrapper
from torch.utils.checkpoint import checkpoint

remat = functools.partial(checkpoint, use_reentrant=False)
CKPT_KWARGS = {"use_reentrant": False} if torch.__version__ >= "1.11" else {}


def run(layer, x, options, checkpointing_func):
    x = checkpoint(layer, x, use_reentrant=options.reentrant)
    x = checkpoint(layer, x, **CKPT_KWARGS)
    x = remat(layer, x)
    x = checkpointing_func(layer, x)
    x = checkpoint_wrapper(layer)(x)
    return jax.checkpoint(layer)(x)


def restored(checkpoint, layer):
    return checkpoint(layer)


class Manager:
    def checkpoint(self, layer, x):
        return layer(x)

    def run(self, layer, x):
        return self.checkpoint(layer, x)
