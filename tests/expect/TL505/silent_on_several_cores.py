"""The loader that ends the steps is left out on one core; there the optimizer's step is told to end them."""

import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl


def train(model, optimizer, loader, use_xla, num_cores):
    device = xm.xla_device()
    if use_xla and num_cores > 1:
        loader = pl.ParallelLoader(loader, [device]).per_device_loader(device)
    for batch in loader:
        optimizer.zero_grad()
        model(batch.to(device)).sum().backward()
        if use_xla and num_cores > 1:
            xm.optimizer_step(optimizer)
        elif use_xla:
            xm.optimizer_step(optimizer, barrier=True)
        else:
            optimizer.step()
