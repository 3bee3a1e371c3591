import urllib.request

import torch
from torch.distributed.fsdp import FullyShardedDataParallel


def fetch(url):
    with urllib.request.urlopen(url) as source, open("assets/sample.tar", "wb") as file:
        file.write(source.read())


def make(sharded):
    fetch("https://example.org/sample.tar")
    model = torch.nn.Linear(2, 2)
    return FullyShardedDataParallel(model) if sharded else model
