"""Paths in the objects of a list are those of the data of this rank; a folder that is made only if it is not there, when some have waited."""

import os

import numpy as np
import torch.distributed as dist
from accelerate import Accelerator
from torch.utils.data import DataLoader
from torchvision import datasets


class Sample:
    def __init__(self, source):
        self.source = source
        self.target = None


def save(samples, features):
    for sample, feature in zip(samples, features):
        np.savez(sample.target, feature=feature)


def extract(dataset, model):
    accelerator = Accelerator()
    loader = accelerator.prepare(DataLoader(dataset))
    for batch in loader:
        samples = []
        for path in batch["paths"]:
            sample = Sample(path)
            sample.target = os.path.splitext(path)[0] + ".npz"
            samples.append(sample)
        save(samples, model(batch["images"]))


def sets(folder):
    if not os.path.exists(folder):
        os.makedirs(folder)
    return datasets.CIFAR10(root=folder, train=True, download=True)


def prepare(settings):
    if dist.get_rank() > 0:
        dist.barrier()
    found = sets(settings["folder"])
    if dist.get_rank() == 0:
        dist.barrier()
    return found


def main(folder="/data/cifar10"):
    dist.init_process_group("nccl")
    prepare({"folder": folder})


main()
