"""The program saves states of other models, which are whole."""

import torch
from torch import nn
from torch.distributed.fsdp import fully_shard


def begin(path):
    model = nn.Linear(4, 4)
    fully_shard(model)
    model.load_state_dict(torch.load(path))  # expect: TL119
    return model


def prepare(path):
    plain = nn.Linear(4, 4)
    torch.save({"model": plain.state_dict(), "step": 0}, path)
