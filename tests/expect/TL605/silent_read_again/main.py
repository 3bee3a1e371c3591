"""The state of what may be in a wrapper, read into what may be in one."""
# Modelled on pytorch/examples.

import torch
from torch import nn


def main(args, model):
    if args.distributed:
        model = nn.parallel.DistributedDataParallel(model)
    if args.resume:
        checkpoint = torch.load(args.resume, map_location="cpu", weights_only=True)
        model.load_state_dict(checkpoint["state_dict"])
    torch.save({"state_dict": model.state_dict()}, args.path)
