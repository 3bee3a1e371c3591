"""What is the same on all processes, though it is part of what numbers them; and tests that leave nobody behind."""

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def worker(gpu, args):
    number = args.nr * args.gpus + gpu
    dist.init_process_group("nccl", rank=number, world_size=args.world)
    torch.cuda.set_device(gpu)
    if args.gpus > 1:
        dist.barrier()
    if args.epochs == 0:
        dist.barrier()
    if args.nr == 0:
        print("the first machine")
    if number == 0:
        dist.barrier()
    else:
        dist.barrier()
    if number % args.gpus == 0:
        print("the first process of a machine")


def launch(args):
    args.world = args.gpus * args.nodes
    mp.spawn(worker, nprocs=args.gpus, args=(args,))


def other_way_round(args, index):
    number = args.gpus * args.host + index
    dist.init_process_group("gloo", rank=number, world_size=args.world)
    if args.gpus == 1:
        dist.barrier()


def by_its_devices(machine, index):
    size = torch.cuda.device_count()
    dist.init_process_group("gloo", rank=index + size * machine, world_size=size * 2)
    if size > 1:
        dist.barrier()


def download_first(config, world, fetch):
    dist.init_process_group("gloo", rank=config.worker, world_size=world)
    if config.worker != 0:
        dist.barrier()
    fetch()
    if config.worker == 0:
        dist.barrier()


def another_job(config):
    if config.worker == 0:
        dist.barrier()
