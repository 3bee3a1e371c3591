"""Rank 0 runs the parallel model once more, while the others have left the job."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(8)

    def forward(self, x):
        return self.norm(x)


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 8)

    def forward(self, x):
        return self.linear(x)


@torch.no_grad()
def judge(model, batches):
    model.eval()
    total = 0.0
    for batch in batches:
        total += model(batch).mean().item()
    return total


def leave(parallel):
    if parallel and dist.is_initialized():
        dist.destroy_process_group()


def train(model, batches):
    for batch in batches:
        model(batch).mean().backward()


def at_the_end(rank, batches, others):
    dist.init_process_group("nccl")
    model = DistributedDataParallel(Net())
    train(model, batches)
    if rank == 0:
        print(judge(model, others))  # expect: TL107
    dist.destroy_process_group()


def before_a_helper(rank, batches, others, parallel):
    dist.init_process_group("nccl")
    model = DistributedDataParallel(Net())
    train(model, batches)
    if rank == 0:
        print(judge(model, others))  # expect: TL107
    leave(parallel)


def what_is_wrapped(rank, batches, others):
    dist.init_process_group("nccl")
    model = DistributedDataParallel(Net())
    train(model, batches)
    if rank == 0:
        print(judge(model.module, others))
    dist.destroy_process_group()


def without_buffers(rank, batches, others):
    dist.init_process_group("nccl")
    model = DistributedDataParallel(Plain())
    train(model, batches)
    if rank == 0:
        print(judge(model, others))
    dist.destroy_process_group()


def all_of_them(rank, batches, others):
    dist.init_process_group("nccl")
    model = DistributedDataParallel(Net())
    train(model, batches)
    score = judge(model, others)
    if rank == 0:
        print(score)
    dist.destroy_process_group()


def between_epochs(rank, batches, others):
    dist.init_process_group("nccl")
    model = DistributedDataParallel(Net())
    for _ in range(3):
        if rank == 0:
            print(judge(model, others))
        train(model, batches)
    dist.destroy_process_group()


def saved_by_one(rank, batches, parallel):
    dist.init_process_group("nccl")
    model = DistributedDataParallel(Net())
    train(model, batches)
    if rank == 0:
        torch.save(model.state_dict(), "last.pt")
    leave(parallel)
