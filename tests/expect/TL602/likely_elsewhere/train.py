"""Processes join a job here; who restores the training lies in another file, and calls nothing of this one."""

import torch.distributed as dist
from restore import Restorer


def main(options, model, optimizer):
    dist.init_process_group("nccl")
    restorer = Restorer(options, model, optimizer)
    for step in range(restorer.step, options.steps):
        optimizer.step()
