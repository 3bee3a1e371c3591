"""What is written before a process divides itself, or by a run of one process, is written once."""

import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def divide(args):
    for number in range(args.gpus):
        args.rank = number
        if os.fork() == 0:
            dist.init_process_group("nccl", rank=number, world_size=args.gpus)
            return True
    return False


def train(args, model, fit):
    torch.save(args, os.path.join(args.out, "options.pt"))
    if divide(args):
        fit(model)


def draw(args, rank, port):
    dist.init_process_group("nccl", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=args.gpus)
    image = torch.zeros(3, 8, 8)
    if rank == 0:
        torch.save(image, os.path.join(args.out, "image.pt"))
    dist.barrier()


def try_out(args):
    assert args.gpus == 1
    draw(args, 0, 29500)


def launch(args):
    args.rank = args.node * args.gpus
    mp.spawn(one, (args,), args.gpus)


def one(gpu, args):
    args.rank += gpu
    dist.init_process_group("nccl", rank=args.rank, world_size=args.gpus * args.nodes)
    if args.rank == 0:
        with open(os.path.join(args.out, "log.txt"), "a") as log:
            log.write("started")


def look(args):
    dist.init_process_group("nccl")
    with open(os.path.join(args.data, "test.jsonl"), "r+", encoding="utf8") as lines:
        return [line for line in lines if line]
