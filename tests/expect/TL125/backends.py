"""Modelled on wenet-e2e/wenet, OpenGVLab/InternVideo, huggingface/peft, facebookresearch/detr."""

import datetime

import torch
import torch.distributed as dist


class Meter:
    def __init__(self):
        self.total, self.count = 0.0, 0

    def synchronize(self):
        both = torch.tensor([self.count, self.total], dtype=torch.float64)
        dist.barrier()
        dist.all_reduce(both)  # expect: TL125
        self.count, self.total = both.tolist()

    def synchronize_there(self):
        both = torch.tensor([self.count, self.total], dtype=torch.float64, device="cuda")
        dist.all_reduce(both)


def join(local_rank):
    torch.cuda.set_device(local_rank)
    dist.init_process_group(backend=dist.Backend.NCCL)


def uneven(timeout):
    host = dist.new_group(backend="gloo", timeout=timeout)
    dist.monitored_barrier(group=host, timeout=timeout)
    dist.monitored_barrier(timeout=datetime.timedelta(seconds=30))  # expect: TL125


def like(x):
    same = torch.tensor(x.shape, device=x.device)
    dist.broadcast(same, 0)
    return same
