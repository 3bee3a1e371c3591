"""Started by spawn on eight cores, with the step in a helper that is handed the optimizer."""

import torch
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
import torch_xla.distributed.xla_multiprocessing as xmp


def update(model, optimizer, x):
    model(x).pow(2).mean().backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()  # expect: TL506
    optimizer.zero_grad()


def work(rank, loader, width):
    device = xm.xla_device()
    model = torch.nn.Linear(width, width).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for epoch in range(3):
        batches = pl.ParallelLoader(loader, [device]).per_device_loader(device)
        for x in batches:
            update(model, optimizer, x)


if __name__ == "__main__":
    xmp.spawn(work, args=([torch.ones(2, 4)], 4), nprocs=8, start_method="fork")
