"""What is asked whether it has a method `full_tensor`, or is a DTensor, may be sharded, whoever made it."""

import torch
import torch.distributed as dist
from torch.distributed.tensor import DTensor


def gathered(moment):
    moment = moment.full_tensor() if hasattr(moment, "full_tensor") else moment
    return moment.detach().to("cpu")


def save(moments, path):
    torch.save([gathered(moment) for moment in moments], path)


def save_moments(moments):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        save(moments, "moments.pt")  # expect: TL105


def norm(parameter):
    dist.init_process_group("nccl")
    if dist.get_rank() != 0:
        return
    if isinstance(parameter, DTensor):
        print(parameter.full_tensor().norm())  # expect: TL105


class Exporter:
    def __init__(self, weight):
        dist.init_process_group("nccl")
        self.weight = weight

    def export(self):
        if dist.get_rank() == 0:
            if hasattr(self.weight, "full_tensor"):
                torch.save(self.weight.full_tensor(), "weight.pt")  # expect: TL105
            else:
                torch.save(self.weight, "weight.pt")
