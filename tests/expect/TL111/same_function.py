"""Rank 0 writes, the others read in the same function: straight on, in the other arm, after a loop, in a folder it makes."""

import os

import numpy as np
import torch
import torch.distributed as dist
from accelerate import Accelerator


def best_weights(model, args, epochs, score):
    dist.init_process_group("nccl")
    path = os.path.join(args.out, "best.pt")
    best = 0.0
    for epoch in range(epochs):
        value = score(model, epoch)
        if dist.get_rank() == 0 and value > best:
            best = value
            torch.save(model.state_dict(), path)  # expect: TL111
    model.load_state_dict(torch.load(path, map_location="cpu"))
    dist.destroy_process_group()


def index(args, build):
    dist.init_process_group("gloo")
    if dist.get_rank() == 0:
        np.save(args.cache + "/index.npy", build())  # expect: TL111
    else:
        print("rank 0 builds the index")
    return np.load(args.cache + "/index.npy")


def or_else(args, build):
    dist.init_process_group("gloo")
    if dist.get_rank() == 0:
        np.save(f"{args.cache}/lengths.npy", build())  # expect: TL111
    else:
        return np.load(f"{args.cache}/lengths.npy")
    return None


def folder(args):
    accelerator = Accelerator()
    if accelerator.is_main_process:
        os.makedirs(args.logs, exist_ok=True)  # expect: TL111
    with open(os.path.join(args.logs, f"{accelerator.process_index}.txt"), "w") as file:
        file.write("begin")
