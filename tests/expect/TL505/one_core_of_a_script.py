"""A script for TPUs alone: whether it runs on one core decides about the loader, and about nothing else."""

import sys

import torch.nn.functional as F
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl


def _mp_fn(index, model, optimizer, loader, num_cores):
    device = xm.xla_device()
    batches = loader
    if num_cores > 1:
        batches = pl.MpDeviceLoader(loader, device)  # expect: TL505
    for x, y in batches:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x.to(device)), y.to(device))
        loss.backward()
        xm.optimizer_step(optimizer)
    sys.exit(index)
