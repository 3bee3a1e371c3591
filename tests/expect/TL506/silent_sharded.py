"""XLA's FSDP reduces in the backward pass; the partitioner needs one process; an optimizer of the project may reduce."""

import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
from torch_xla.distributed.fsdp import XlaFullyShardedDataParallel as FSDP


def sharded(index, loader):
    device = xm.xla_device()
    model = FSDP(torch.nn.Linear(4, 4).to(device))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in pl.MpDeviceLoader(loader, device):
        optimizer.zero_grad()
        model(x).sum().backward()
        optimizer.step()


if __name__ == "__main__":
    torch_xla.launch(sharded, args=([torch.ones(2, 4)],))
