"""Loads that say where, files of one rank, and weights that somebody published."""
# Modelled on pytorch/examples, k2-fsa/icefall, huggingface/nanotron, volcengine/verl.

import os

import torch
import torch.distributed as dist


def computed(args, model, optimizer):
    dist.init_process_group("nccl")
    loc = f"cuda:{args.gpu}"
    checkpoint = torch.load(args.resume, map_location=loc)
    model.load_state_dict(checkpoint["state_dict"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    return checkpoint["epoch"]


def given_on(path, model, optimizer, **options):
    state = torch.load(path, **options)
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])


def pretrained(params, model):
    found = torch.load(params.pretrained, weights_only=False)
    model.load_state_dict(found["model"])


def of_each_rank(folder, optimizer, rank, world_size):
    path = os.path.join(folder, f"optim_world_size_{world_size}_rank_{rank}.pt")
    optimizer.load_state_dict(torch.load(path))


def of_one_rank(path, model, optimizer):
    if dist.get_rank() == 0:
        state = torch.load(path)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])


def data(path):
    return torch.load(path)["images"], torch.load(path)["labels"]
