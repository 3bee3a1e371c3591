"""Modelled on microsoft/Swin-Transformer, hpcaitech/Open-Sora, detectron2's worker, mosaicml/composer, bubbliiiing/yolox-pytorch."""

import os

import torch
import torch.distributed as dist


def choose(config):
    if config.gpu is not None:
        torch.cuda.set_device(config.gpu)


def chosen_by_the_caller(config):
    choose(config)
    start()
    return torch.nn.Linear(8, 2).cuda()


def start():
    dist.init_process_group(backend="nccl")


def told(rank, count):
    dist.init_process_group(backend="NCCL", rank=rank, world_size=count)
    dist.barrier(device_ids=[rank])


class Device:
    backend = "nccl"

    def __init__(self, number):
        torch.cuda.set_device(number)


def by_an_object(number):
    device = Device(number)
    dist.init_process_group(device.backend)
    dist.barrier()


def one_of_several(distributed):
    if distributed:
        dist.init_process_group("nccl")
        device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    else:
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return torch.load("weights.pt", map_location=device, weights_only=True)


def alone():
    dist.init_process_group("nccl", rank=0, world_size=1)
    return torch.zeros(8).cuda()


def whichever():
    dist.init_process_group()
    dist.barrier()


def library_sets_it(local_rank, tools):
    dist.init_process_group("nccl")
    tools.set_cuda_device_index(local_rank)
    return torch.zeros(8).cuda()
