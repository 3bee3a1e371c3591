"""Data sets that one process fetches before the others look."""

import torch.distributed as dist
from torchvision import datasets


def only_read():
    dist.init_process_group("nccl")
    return datasets.MNIST("data", train=True)


def told_not_to():
    dist.init_process_group("nccl")
    return datasets.MNIST("data", train=True, download=False)


def one_is_told():
    dist.init_process_group("nccl")
    return datasets.MNIST("data", download=dist.get_rank() == 0)


def first_one_then_the_others():
    dist.init_process_group("nccl")
    if dist.get_rank() != 0:
        dist.barrier()
    data = datasets.MNIST("data", download=True)
    if dist.get_rank() == 0:
        dist.barrier()
    return data


def in_two_arms():
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        data = datasets.MNIST("data", download=True)
        dist.barrier()
    else:
        dist.barrier()
        data = datasets.MNIST("data", download=True)
    return data


def fetched_before():
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        datasets.MNIST("data", download=True)
    dist.barrier()
    return datasets.MNIST("data", download=True)


def prepare():
    datasets.KMNIST("data", download=True)


def fetched_by_a_helper():
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        prepare()
    dist.barrier()
    return datasets.KMNIST("data", download=True)


def folder_of_ones_own(rank):
    dist.init_process_group("nccl")
    return datasets.MNIST(f"data/{rank}", download=True)


def one_process():
    return datasets.MNIST("data", download=True)
