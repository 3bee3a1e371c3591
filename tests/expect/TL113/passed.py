"""The number of a process is what a function that starts the group is called with."""

from dataclasses import dataclass

import torch.distributed as dist
import torch.multiprocessing as mp


def join(address, rank, size):
    dist.init_process_group("nccl", init_method=address, rank=rank, world_size=size)  # expect: TL113


def train(model, args):
    join(args.address, 0, args.nodes)
    model.cuda()


def join_any(address, rank, size):
    dist.init_process_group("nccl", init_method=address, rank=rank, world_size=size)


def evaluate(model, args):
    join_any(args.address, args.rank, args.nodes)
    model.cuda()


def probe(model, args):
    join_any(args.address, 0, args.nodes)
    model.cuda()


@dataclass
class Options:
    rank: int = 0
    nodes: int = 1


def parse(options, values):
    options.rank, options.nodes = int(values[0]), int(values[1])


def connect(values):
    options = Options()
    parse(options, values)
    dist.init_process_group("nccl", rank=options.rank, world_size=options.nodes)


def alone_or_not(address, rank, size):
    dist.init_process_group("nccl", init_method=address, rank=rank, world_size=size)


def begin(args):
    if args.nodes == 1:
        alone_or_not(args.address, 0, args.nodes)


def worker(rank, args):
    dist.init_process_group("nccl", init_method=args.address, rank=rank, world_size=args.gpus)


def launch(args):
    mp.spawn(worker, args=(args,), nprocs=args.gpus)
    worker(0, args)
