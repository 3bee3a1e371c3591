"""A loader made in one function, handed to a nested training loop through a loader of XLA in every epoch."""

import torch
import torch.nn.functional as F
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
import torch_xla.distributed.xla_multiprocessing as xmp
import torch_xla.runtime as xr
from torch.utils.data import DataLoader, DistributedSampler


def train(index, model, train_set, test_set, flags):
    device = xm.xla_device()
    model = model.to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    sampler = None
    if xr.world_size() > 1:
        sampler = DistributedSampler(train_set, num_replicas=xr.world_size(), rank=xr.global_ordinal())
    train_loader = DataLoader(  # expect: TL501
        train_set,
        batch_size=flags.batch_size,
        sampler=sampler,
        shuffle=sampler is None,
    )
    test_loader = DataLoader(test_set, batch_size=flags.batch_size)

    def one_epoch(batches):
        model.train()
        for step, (x, y) in enumerate(batches):
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            xm.optimizer_step(optimizer)

    def test(batches):
        model.eval()
        with torch.no_grad():
            return [model(x).argmax(1) for x, _ in batches]

    for epoch in range(flags.epochs):
        if sampler is not None:
            sampler.set_epoch(epoch)
        feeder = pl.ParallelLoader(train_loader, [device])
        one_epoch(feeder.per_device_loader(device))
        feeder = pl.ParallelLoader(test_loader, [device])
        test(feeder.per_device_loader(device))


if __name__ == "__main__":
    xmp.spawn(train, args=(None, None, None, None))
