"""A function that is called like the method that takes a state is no optimizer's."""
# Modelled on microsoft/XPretrain.

import torch
import torch.distributed as dist
from apart.weights import load_state_dict


def main(args, model):
    dist.init_process_group("nccl")
    checkpoint = torch.load(args.resume)  # expect: TL602
    load_state_dict(checkpoint["model"], model)
    args.start_epoch = checkpoint["epoch"]
