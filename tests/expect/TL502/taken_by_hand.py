"""The batches are taken one by one, without a loop over them."""

import torch_xla
import torch_xla.distributed.parallel_loader as pl


def train(model, optimizer, loader, steps):
    batches = iter(pl.MpDeviceLoader(loader, torch_xla.device()))
    for _ in range(steps):
        x, y = next(batches)
        optimizer.zero_grad()
        chosen = y.masked_select(y > 0)  # expect: TL502
        loss = model(x[y.ge(0)], chosen)  # expect: TL502
        loss.backward()
        optimizer.step()
