"""What goes through a buffer in memory and is read there is a copy; what is handed on is a file somewhere."""

import io

import torch
from torch import nn


def copied(model: nn.Module):
    buffer = io.BytesIO()
    torch.save(model, buffer)
    buffer.seek(0)
    return torch.load(buffer, weights_only=False)


def uploaded(model: nn.Module, bucket):
    buffer = io.BytesIO()
    torch.save(model, buffer)  # expect: TL606
    model.eval()
    bucket.put("model.pt", buffer.getvalue())


def read_from_a_file(model: nn.Module, path):
    torch.save(model, path)  # expect: TL606
    model.eval()
    return torch.load(path, weights_only=False)
