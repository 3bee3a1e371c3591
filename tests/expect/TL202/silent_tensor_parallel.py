"""Ranks that share one model layer by layer must see the same batch."""

import torch
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor.parallel import ColwiseParallel, parallelize_module
from torch.utils.data import DataLoader
from torchvision.datasets import CIFAR10


def main(net, optimizer):
    mesh = init_device_mesh("cuda", (1, 8), mesh_dim_names=("replicate", "tensor"))
    net = parallelize_module(net, mesh["tensor"], {"first": ColwiseParallel()})
    fully_shard(net, mesh=mesh["replicate"])
    for images, kinds in DataLoader(CIFAR10("data"), batch_size=64, shuffle=False):
        torch.nn.functional.cross_entropy(net(images), kinds).backward()
        optimizer.step()
        optimizer.zero_grad()
