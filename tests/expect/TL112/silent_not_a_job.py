"""Writes of one process: nothing says that others run, or the writing ends before they do."""

import argparse
import subprocess
import sys

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel


def save(state, path):
    torch.save(state, path)


def single(model):
    save(model.state_dict(), "model.pt")


def wrap(model, device):
    return DistributedDataParallel(model, device_ids=[device])


def evaluate(config, model):
    if config.many:
        model = wrap(model, config.device)
    torch.save(model(torch.ones(1)), "scores.pt")


def worker(rank, path):
    dist.init_process_group("gloo", rank=rank, world_size=2)
    torch.load(path)


def start(path):
    torch.save(torch.nn.Linear(1, 1).state_dict(), path)
    mp.spawn(worker, args=(path,), nprocs=2)


def launch(command):
    with open("launched.txt", "w") as file:
        file.write(command)
    subprocess.run([sys.executable, command], check=True)


def only_writes_its_options(train):
    parser = argparse.ArgumentParser()
    parser.add_argument("--dump")
    args = parser.parse_args()
    if args.dump:
        with open(args.dump, "w") as file:
            file.write(str(args))
        sys.exit(0)
    dist.init_process_group("nccl")
    train(args)


def two_modes(args, train, export):
    if args.export:
        export("model.pt")
        torch.save({}, "exported.pt")
        return
    dist.init_process_group("nccl")
    train(args)
