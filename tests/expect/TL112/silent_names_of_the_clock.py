"""One rank reads the clock for all, each rank has a name of its own, or nobody minds that the folder is there."""

import os
import time
import uuid
from datetime import datetime

import torch
import torch.distributed as dist


def told_by_rank_zero(args, model):
    dist.init_process_group("nccl")
    names = [time.strftime("%Y%m%d-%H%M%S")]
    dist.broadcast_object_list(names, src=0)
    if dist.get_rank() == 0:
        os.makedirs(os.path.join(args.runs, names[0]))


def microseconds(args):
    dist.init_process_group("nccl")
    with open(f"{args.logs}/{datetime.now().strftime('%H-%M-%S-%f')}.log", "w") as file:
        file.write("begin")


def seconds_and_more(args, model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), f"{args.out}/{time.time()}.pt")
    torch.save(model.state_dict(), f"{args.out}/{datetime.now()}.pt")


def with_the_rank(args, model):
    dist.init_process_group("nccl")
    stamp = time.strftime("%Y%m%d-%H%M%S")
    torch.save(model.state_dict(), f"{args.out}/{stamp}-{dist.get_rank()}.pt")


def with_an_id(args, model):
    dist.init_process_group("nccl")
    os.mkdir(f"{args.out}/{time.strftime('%Y%m%d')}-{uuid.uuid4()}")


def may_be_there(args):
    dist.init_process_group("nccl")
    os.makedirs(os.path.join(args.out, datetime.now().strftime("%Y-%m-%d")), exist_ok=True)


def by_rank_zero(args, model):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), time.strftime("%Y%m%d") + ".pt")


def out_of_sight(args, model, timestamp):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), f"{args.out}/{timestamp}.pt")
