"""Start: torchrun main.py."""

import torch
from amp import Scaler
from engine import one_epoch
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel


def main(loader, epochs):
    torch.distributed.init_process_group("nccl")
    model = FullyShardedDataParallel(nn.Linear(8, 8))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(epochs):
        one_epoch(model, nn.MSELoss(), loader, optimizer, Scaler())
