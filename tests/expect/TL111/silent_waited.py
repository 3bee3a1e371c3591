"""Between the write and the read all ranks meet, in whatever way."""

import contextlib
import os
import time

import torch
import torch.distributed as dist
from accelerate import Accelerator
from torch.nn.parallel import DistributedDataParallel


@contextlib.contextmanager
def first_alone():
    if dist.get_rank() != 0:
        dist.barrier()
    yield
    if dist.get_rank() == 0:
        dist.barrier()


def synchronize():
    if dist.get_world_size() > 1:
        dist.barrier()


def barrier(model, path):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)
    dist.barrier()
    return torch.load(path)


def in_a_helper(model, path="model.pt"):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)
    synchronize()
    return torch.load(path)


def broadcast(model, path="model.pt"):
    dist.init_process_group("nccl")
    done = [None]
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)
        done = [path]
    dist.broadcast_object_list(done)
    return torch.load(path)


def wrapped(model, path="model.pt"):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)
    model = DistributedDataParallel(model)
    return torch.load(path)


def split(model, path="model.pt"):
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    if rank != 0:
        dist.barrier()
    if rank == 0:
        torch.save(model.state_dict(), path)
        dist.barrier()
    return torch.load(path)


def manager(model, path="model.pt"):
    dist.init_process_group("nccl")
    with first_alone():
        if dist.get_rank() == 0:
            torch.save(model.state_dict(), path)
        return torch.load(path)


def accelerated(args, model):
    accelerator = Accelerator()
    if accelerator.is_main_process:
        os.makedirs(args.out, exist_ok=True)
        torch.save(model.state_dict(), args.out + "/first.pt")
    accelerator.wait_for_everyone()
    torch.load(args.out + "/first.pt")
    with accelerator.main_process_first():
        if accelerator.is_main_process:
            torch.save(model.state_dict(), args.out + "/second.pt")
    torch.load(args.out + "/second.pt")


def polled(model, path="model.pt"):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)
    while not os.path.exists(path):
        time.sleep(1)
    return torch.load(path)


def trained(model, loader, optimizer, path="model.pt"):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)
    for batch in loader:
        model(batch).backward()
        optimizer.step()
        optimizer.zero_grad()
    return torch.load(path)
