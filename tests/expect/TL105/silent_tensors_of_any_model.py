"""All ranks gather, and one of them writes; or another rank is none that holds a part."""

import torch
import torch.distributed as dist


def gathered(moment):
    return moment.full_tensor() if hasattr(moment, "full_tensor") else moment


def save_moments(moments):
    dist.init_process_group("nccl")
    whole = [gathered(moment) for moment in moments]
    if dist.get_rank() == 0:
        torch.save(whole, "moments.pt")
