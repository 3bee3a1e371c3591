"""Checkpoints that every rank loads to the GPU of rank 0."""
# Modelled on pytorch/examples, kekmodel/FixMatch-pytorch, huggingface/accelerate.

import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def main(args, model, optimizer):
    torch.distributed.init_process_group(backend="nccl")
    device = torch.device("cuda", args.local_rank)
    model.to(device)
    if args.resume:
        if os.path.isfile(args.resume):
            checkpoint = torch.load(args.resume, weights_only=False)  # expect: TL602
            args.start_epoch = checkpoint["epoch"]
            model.load_state_dict(checkpoint["state_dict"])
            optimizer.load_state_dict(checkpoint["optimizer"])
    return DDP(model, device_ids=[args.local_rank])


def load_state(input_dir, models, optimizers, process_index):
    for number, optimizer in enumerate(optimizers):
        optimizer.load_state_dict(torch.load(os.path.join(input_dir, f"optimizer_{number}.bin")))  # expect: TL602
    for number, model in enumerate(models):
        state = torch.load(os.path.join(input_dir, f"model_{number}.bin"), map_location="cpu")
        model.load_state_dict(state)


def setup():
    dist.init_process_group("nccl")


def legacy(args, model):
    optimizer = torch.optim.AdamW(model.parameters())
    if os.path.isfile(os.path.join(args.folder, "optimizer.pt")):
        optimizer.load_state_dict(torch.load(os.path.join(args.folder, "optimizer.pt")))  # expect: TL602
    return optimizer
