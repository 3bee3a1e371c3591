"""The words of training code: all that ``trainlint/knowledge`` speaks of, as names to import, methods and keywords."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import trainlint.knowledge

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_WORD = re.compile(r"[A-Za-z_]\w*")

#: Names as people choose them, and some that nobody should.
NAMES = [
    "model",
    "net",
    "loss",
    "batch",
    "x",
    "y",
    "data",
    "loader",
    "optimizer",
    "opt",
    "scaler",
    "scheduler",
    "rank",
    "local_rank",
    "world_size",
    "step",
    "epoch",
    "i",
    "n",
    "device",
    "state",
    "ckpt",
    "path",
    "args",
    "cfg",
    "self",
    "cls",
    "_",
    "__",
    "out",
    "logits",
    "labels",
    "target",
    "group",
    "grads",
    "params",
    "key",
    "rng",
    "fn",
    "total",
    "metrics",
    "é",
    "größe",
    "\u210c",
    "变量",
    "_x__",
    "__dunder__",
    "print",
    "len",
    "torch",
    "dist",
    "type",
    "match",
    "case",
    "async_",
    "lambda_",
    "super",
]

#: Ways in which frameworks are imported.
IMPORTS = (
    "import torch",
    "import torch as t",
    "import torch.distributed as dist",
    "import torch.nn as nn, torch.nn.functional as F",
    "from torch import nn, optim",
    "from torch import *",
    "from torch.distributed import *",
    "from torch.utils.data import DataLoader, DistributedSampler, Dataset",
    "from torch.nn.parallel import DistributedDataParallel as DDP",
    "from torch.cuda.amp import autocast, GradScaler",
    "from torch.distributed.fsdp import FullyShardedDataParallel as FSDP",
    "import torch.multiprocessing as mp",
    "import torch_xla.core.xla_model as xm",
    "import jax, jax.numpy as jnp",
    "from jax import jit, grad, vmap, lax",
    "import flax.linen as nn, optax",
    "import tensorflow as tf",
    "from tensorflow import keras",
    "import horovod.torch as hvd",
    "import deepspeed",
    "from accelerate import Accelerator",
    "import lightning as L",
    "import pytorch_lightning as pl",
    "from transformers import Trainer, TrainingArguments",
    "import numpy as np, random, os, time, sys",
    "import os.path as osp",
    "from . import utils",
    "from .. import *",
    "from .model import Net as Net",
    "import a.b.c",
    "from __future__ import annotations",
    "import importlib, pickle, threading, functools, itertools, contextlib, dataclasses",
)


class Vocabulary(NamedTuple):
    """``dotted``: names from an import on; ``words``: single words that the tables hold (methods, keywords, values)."""

    dotted: tuple[str, ...]
    words: tuple[str, ...]


@cache
def vocabulary() -> Vocabulary:
    """All words of the shipped tables."""
    found: set[str] = set()
    for path in Path(trainlint.knowledge.__file__).parent.glob("*.toml"):
        found.update(_strings(tomllib.loads(path.read_text(encoding="utf-8"))))
    return Vocabulary(
        tuple(sorted(text for text in found if _DOTTED.fullmatch(text))),
        tuple(sorted(text for text in found if _WORD.fullmatch(text) and text not in _NO_NAMES)),
    )


_NO_NAMES = frozenset(
    {"True", "False", "None", "import", "lambda", "in", "is", "not", "and", "or", "if", "else", "for", "with", "async"}
)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)
