"""Under the guard only the value is made; all ranks take part in spreading it.

Snowdar/asv-subtools @ b0274cccbb59 : pytorch/libs/training/lr_scheduler.py:139
ultralytics/yolov5 @ 6935a54e603d : train.py:435
"""

import os

import torch
import torch.distributed as dist

RANK = int(os.getenv("RANK", -1))


class PlateauScheduler:
    def __init__(self, patience):
        self.patience = patience

    def step(self, validate):
        metric = torch.zeros(1)
        if dist.get_rank() == 0:
            metric = torch.tensor([validate()])
        dist.broadcast(metric, 0)
        return metric.item()


def train(epochs, stopper):
    for epoch in range(epochs):
        stop = False
        if RANK in {-1, 0}:
            stop = stopper(epoch=epoch)
        if RANK != -1:
            broadcast_list = [stop if RANK == 0 else None]
            dist.broadcast_object_list(broadcast_list, 0)
            if RANK != 0:
                stop = broadcast_list[0]
        if stop:
            break
        dist.barrier()


def ternary_argument(rank, seed):
    payload = [seed if rank == 0 else None]
    dist.broadcast_object_list(payload, src=0)
    return payload[0]


def rank_in_arguments(rank, tensor):
    dist.broadcast(tensor, src=0 if rank < 4 else 4)
    dist.barrier(device_ids=[rank])
