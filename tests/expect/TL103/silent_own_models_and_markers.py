"""All ranks are told, the job ends, or the file is one that they all go on to read."""

import os
import sys

import torch
import torch.distributed as dist


def reduced(inputs):
    model = torch.nn.Linear(4, 1)
    bad = torch.isnan(model(inputs)).any().float()
    dist.all_reduce(bad)
    if bad.item():
        return
    dist.barrier()


def ended(inputs):
    loss = torch.nn.Linear(4, 1)(inputs).sum()
    if not torch.isfinite(loss):
        sys.exit(1)
    dist.barrier()


def only_logged(inputs):
    loss = torch.nn.Linear(4, 1)(inputs).sum()
    if torch.isnan(loss):
        print("no number")
    dist.all_reduce(loss)


def told_to_stop(steps):
    for _ in range(steps):
        stop = torch.tensor([float(os.path.exists("STOP"))])
        dist.broadcast(stop, src=0)
        if stop.item():
            break
        dist.barrier()


def resumed(args, model):
    if os.path.exists(args.checkpoint):
        model.load_state_dict(torch.load(args.checkpoint))
        dist.barrier()


def in_a_folder_that_is_used(args, load):
    if os.path.exists(os.path.join(args.output_dir, "latest")):
        load(args.output_dir)
        dist.barrier()


def prepared(hparams, unpack):
    if not os.path.exists(os.path.join(hparams["data"], "wav8k")):
        unpack({"folder": hparams["data"]})
        dist.barrier()


def in_any_file(path):
    if os.path.exists(f"{path}.done"):
        dist.barrier()
