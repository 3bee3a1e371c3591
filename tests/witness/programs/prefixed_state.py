"""A compiled model whose state is saved, and loaded into one that is not compiled."""

import io

import torch
from torch import nn


def evaluated(runs):
    torch.manual_seed(0)
    model = nn.Linear(4, 1)
    if runs > 0:
        fast = torch.compile(model, backend="eager")
    else:
        fast = model
    file = io.BytesIO()
    torch.save({"model": fast.state_dict()}, file)  # expect: TL563
    file.seek(0)
    other = nn.Linear(4, 1)
    found = other.load_state_dict(torch.load(file)["model"], strict=False)
    return [sorted(found.missing_keys), torch.equal(other.weight, model.weight)]
