"""What is handed to the start of the group as its rank numbers the processes, whatever it is called, and what it is made of does."""

import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def worker(gpu, args):
    number = args.nr * args.gpus + gpu
    dist.init_process_group("nccl", rank=number, world_size=args.world)
    torch.cuda.set_device(gpu)
    if args.nr == 0:
        dist.barrier()  # expect: TL101
    if number == 0:
        dist.all_reduce(torch.ones(1, device="cuda"))  # expect: TL101
    train(args)


def train(args):
    if args.nr != 0:
        return
    dist.barrier()  # expect: TL102


def launch(args):
    args.world = args.gpus * args.nodes
    mp.spawn(worker, nprocs=args.gpus, args=(args,))


def other_way_round(args, index):
    number = args.gpus * args.host + index
    dist.init_process_group("gloo", rank=number, world_size=args.world)
    if args.host == 0:
        dist.barrier()  # expect: TL101
    if index == 0:
        dist.barrier()  # expect: TL101


def by_its_devices(machine, index):
    size = torch.cuda.device_count()
    dist.init_process_group("gloo", rank=index + size * machine, world_size=size * 2)
    if machine == 0:
        dist.barrier()  # expect: TL101


def started(index, machine, size):
    number = machine * size + index
    dist.init_process_group("gloo", rank=number, world_size=8)
    return number


def helped(index, machine):
    number = started(index, machine, 4)
    if machine == 0:
        dist.barrier()  # expect: TL101
    if number == 0:
        dist.barrier()  # expect: TL101


class Job:
    def __init__(self, config, device):
        self.number = config.shard * config.devices + device
        self.config = config
        dist.init_process_group("gloo", rank=self.number, world_size=config.world)

    def run(self):
        if self.config.shard == 0:
            dist.barrier()  # expect: TL101
        if self.number == 0:
            dist.barrier()  # expect: TL101


def of_a_variable(index):
    machine = int(os.environ["MACHINE"])
    dist.init_process_group("gloo", rank=machine * 4 + index, world_size=8)
    if machine == 0:
        dist.barrier()  # expect: TL101


def plain(config, world):
    dist.init_process_group("gloo", rank=config.worker, world_size=world)
    if config.worker == 0:
        dist.barrier()  # expect: TL101
