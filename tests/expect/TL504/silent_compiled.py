"""What is fetched in a function that PyTorch compiles breaks its graph, which TL560 says."""

import torch
import torch.nn.functional as F
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl


@torch.compile(backend="openxla")
def loss_of(model, x, y):
    loss = F.cross_entropy(model(x), y)
    print(float(loss))
    return loss


def fit(model, optimizer, loader):
    for x, y in pl.MpDeviceLoader(loader, xm.xla_device()):
        optimizer.zero_grad()
        loss_of(model, x, y).backward()
        xm.optimizer_step(optimizer)
