"""Only tests call this in sight; who else does is out of sight, and on every rank this file would be written."""

import urllib.request

import torch
from torch.distributed.fsdp import FullyShardedDataParallel


def fetch(url):
    with urllib.request.urlopen(url) as source, open("assets/sample.tar", "wb") as file:  # expect: TL112
        file.write(source.read())


def make(sharded):
    fetch("https://example.org/sample.tar")
    model = torch.nn.Linear(2, 2)
    return FullyShardedDataParallel(model) if sharded else model
