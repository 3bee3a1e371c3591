"""Every rank writes, each at a path of its own."""

import os
import socket
import tempfile
import time
import uuid
from pathlib import Path

import torch
import torch.distributed as dist
import wandb
from torch.utils.tensorboard import SummaryWriter


def shard_name(folder, number):
    return os.path.join(folder, f"shard-{number}.pt")


class Settings(dict):
    """Its items are its attributes."""

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.__dict__ = self


def main(model, args, loader):
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    torch.save(model.state_dict(), Settings(path=f"{args.out}/model{rank}.pt").path)
    torch.save(model.state_dict(), f"{args.out}/{rank}.pt")
    torch.save(model.state_dict(), os.path.join(args.out, str(rank), "model.pt"))
    torch.save(model.state_dict(), "%s/%d.pt" % (args.out, rank))
    torch.save(model.state_dict(), "{}.{}".format(args.out, os.environ["LOCAL_RANK"]))
    torch.save(model.state_dict(), shard_name(args.out, rank))
    torch.save(model.state_dict(), Path(args.out) / f"rank{rank}" / "model.pt")
    torch.save(model.state_dict(), os.path.join(tempfile.mkdtemp(), "model.pt"))
    torch.save(model.state_dict(), f"{args.out}/{uuid.uuid4()}.pt")
    torch.save(model.state_dict(), f"{args.out}/{os.getpid()}.pt")
    torch.save(model.state_dict(), f"{args.out}/{socket.gethostname()}.pt")
    torch.save(model.state_dict(), f"{args.out}/{time.time()}.pt")
    args.log_dir = os.path.join(args.log_dir, f"process_{rank}")
    with open(os.path.join(args.log_dir, "log.txt"), "w") as file:
        file.write("begin")
    writer = SummaryWriter(os.path.join(args.out, f"events_{rank}"))
    wandb.init(project="all", group="one-job", name=f"rank-{rank}")
    for name, image in loader:
        torch.save(model(image), os.path.join(args.out, name + ".pt"))
        writer.add_scalar("done", 1)
    with open(os.devnull, "w") as nothing:
        nothing.write("x")
