"""One rank writes: by a test, by having left, by a value that only one of them has, by a flag."""

import contextlib
import os
import shutil

import torch
import torch.distributed as dist
import wandb
from accelerate import Accelerator
from torch.utils.tensorboard import SummaryWriter


@contextlib.contextmanager
def first_alone():
    if dist.get_rank() != 0:
        dist.barrier()
    yield
    if dist.get_rank() == 0:
        dist.barrier()


def tests(model, args, is_best):
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    if rank == 0 and is_best:
        torch.save(model, "best.pt")
    if not args.distributed or rank == 0:
        torch.save(model, "any.pt")
    if args.is_master:
        torch.save(model, "master.pt")
    with first_alone():
        torch.save(model, "cache.pt")
    wandb.init(project="p", mode="online" if rank == 0 else "disabled")
    writer = SummaryWriter("events") if rank == 0 else None
    if writer is not None:
        torch.save(model, "beside_writer.pt")
    if args.local_rank in (-1, 0):
        torch.save(model, "local.pt")
    if rank != 0:
        return
    torch.save(model, "last.pt")


def log_on(path, write):
    if write:
        with open(path, "a") as file:
            file.write("step")


def flags(model, paths):
    accelerator = Accelerator()
    log_on("steps.txt", accelerator.is_main_process)
    accelerator.save(model.state_dict(), "model.pt")
    accelerator.unwrap_model(model).save_pretrained("out", is_main_process=accelerator.is_main_process)
    os.makedirs("out", exist_ok=True)
    shutil.rmtree("cache", ignore_errors=True)
    try:
        os.makedirs("results")
    except FileExistsError:
        pass
    try:
        accelerator.backward(model())
    except RuntimeError:
        with open("crash.txt", "w") as file:
            file.write("crashed")


class Recorder:
    def __init__(self, rank, folder):
        self.file = os.path.join(folder, "log.txt") if rank == 0 else None

    def __call__(self, text):
        if self.file:
            with open(self.file, "a") as file:
                file.write(text)


def recorded(folder):
    dist.init_process_group("nccl")
    Recorder(dist.get_rank(), folder)("hello")
