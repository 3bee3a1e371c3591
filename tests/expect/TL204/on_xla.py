"""On XLA the shorter batch compiles the step again: TL501 says so and TL204 does not; elsewhere it does."""

import torch_xla.core.xla_model as xm
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler
from torch_xla.distributed.parallel_loader import MpDeviceLoader
from torchvision.datasets import ImageFolder


def main(model, optimizer, folder, batch_size):
    data = ImageFolder(folder)
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size, sampler=sampler, num_workers=4)  # expect: TL501
    for epoch in range(90):
        sampler.set_epoch(epoch)
        for images, labels in MpDeviceLoader(loader, xm.xla_device()):
            optimizer.zero_grad()
            model(images, labels).backward()
            xm.optimizer_step(optimizer)


def on_gpus(model, optimizer, folder, batch_size):
    data = ImageFolder(folder)
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size, sampler=sampler, num_workers=4)  # expect: TL204
    for epoch in range(90):
        sampler.set_epoch(epoch)
        for images, labels in loader:
            optimizer.zero_grad()
            model(images, labels).backward()
            optimizer.step()
