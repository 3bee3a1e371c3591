"""The last collective is over when some ranks leave."""

import sys

import torch
import torch.distributed as dist


def save(model, path):
    dist.barrier()
    if dist.get_rank() != 0:
        return
    torch.save(model.state_dict(), path)


def report(rank, metrics):
    dist.all_reduce(metrics)
    if rank != 0:
        return None
    print(metrics)
    return metrics.tolist()


def exit_followers(rank, metrics):
    dist.all_reduce(metrics)
    if rank != 0:
        sys.exit(0)
    print(metrics)


def caller(model, path, metrics):
    save(model, path)
    report(dist.get_rank(), metrics)
    dist.barrier()


class Printer:
    def __init__(self):
        self.rank = dist.get_rank()

    def log(self, text):
        if self.rank != 0:
            return
        print(text)

    def run(self, steps):
        for step in range(steps):
            self.log(step)
            dist.barrier()
