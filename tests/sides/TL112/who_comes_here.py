"""What tells that all ranks come to a write: joining, meeting, being started for each, and the reverse of them."""

import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel


def never_joins(model):
    torch.save(model.state_dict(), "alone.pt")


def joins(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), "joined.pt")  # expect: TL112


def joins_later(model):
    torch.save(model.state_dict(), "before.pt")  # expect: TL112
    dist.init_process_group("nccl")


def joins_under_a_setting(model, args):
    if args.distributed:
        dist.init_process_group("nccl")
    torch.save(model.state_dict(), "perhaps.pt")  # expect: TL112


def joins_in_the_other_arm(model, args):
    if args.distributed:
        dist.init_process_group("nccl")
    else:
        torch.save(model.state_dict(), "single.pt")


def leaves_before_it_joins(model, args):
    if not args.distributed:
        torch.save(model.state_dict(), "single.pt")
        return
    dist.init_process_group("nccl")


def meets_first(model):
    dist.barrier()
    torch.save(model.state_dict(), "met.pt")  # expect: TL112


def meets_later(model):
    torch.save(model.state_dict(), "meets.pt")  # expect: TL112
    dist.barrier()


def meets_by_a_flag(model, args):
    if args.meets:
        dist.barrier()
    torch.save(model.state_dict(), "flag.pt")  # expect: TL112


def meets_on_both_sides(model, args):
    if args.meets:
        dist.barrier()
    else:
        dist.all_reduce(model.loss)
    torch.save(model.state_dict(), "both.pt")  # expect: TL112


def meets_or_fails(model, args):
    if args.meets:
        dist.barrier()
    else:
        raise ValueError("needs several processes")
    torch.save(model.state_dict(), "fails.pt")  # expect: TL112


def meets_or_leaves(model, args):
    torch.save(model.state_dict(), "leaves.pt")  # expect: TL112
    if not args.meets:
        return
    dist.barrier()


def meets_in_a_with(model):
    with torch.no_grad():
        dist.barrier()
    torch.save(model.state_dict(), "with.pt")  # expect: TL112


def meets_in_a_try(model):
    try:
        dist.barrier()
    finally:
        print("met")
    torch.save(model.state_dict(), "try.pt")  # expect: TL112


def meet_all():
    dist.barrier()


def meet_perhaps(args):
    if args.meets:
        dist.barrier()


def meet_deeper():
    meet_all()


def sync_perhaps(args):
    if args.meets:
        dist.barrier()


def meets_in_a_function(model):
    meet_all()
    torch.save(model.state_dict(), "function.pt")  # expect: TL112


def meets_in_a_deeper_function(model):
    meet_deeper()
    torch.save(model.state_dict(), "deeper.pt")  # expect: TL112


def meets_perhaps_in_a_function(model, args):
    meet_perhaps(args)
    torch.save(model.state_dict(), "perhaps.pt")


def meets_by_name(model, args):
    sync_perhaps(args)
    torch.save(model.state_dict(), "named.pt")  # expect: TL112


class Wrapped:
    def __init__(self, model):
        self.model = DistributedDataParallel(model)

    def save(self):
        torch.save(self.model.state_dict(), "wrapped.pt")

    def run(self):
        self.save()


class WrapsItself:
    def __init__(self, model):
        self.setup(model)
        torch.save(self.model.state_dict(), "own.pt")  # expect: TL112

    def setup(self, model):
        self.model = DistributedDataParallel(model)


class Plain:
    def __init__(self, model):
        self.setup(model)
        torch.save(self.model.state_dict(), "plain.pt")

    def setup(self, model):
        self.model = model


def started(rank, folder):
    torch.save(torch.zeros(1), os.path.join(folder, "started.pt"))  # expect: TL112


def started_for_each(rank, folder):
    torch.save(torch.zeros(1), os.path.join(folder, f"{rank}.pt"))


def started_for_one(rank, folder):
    if rank == 0:
        torch.save(torch.zeros(1), os.path.join(folder, "started.pt"))


def started_by_name(rank, folder):
    torch.save(torch.zeros(1), os.path.join(folder, "by_name.pt"))  # expect: TL112


def starts(folder):
    torch.save(torch.zeros(1), os.path.join(folder, "before.pt"))
    mp.spawn(started, args=(folder,), nprocs=4)
    mp.spawn(started_for_each, args=(folder,), nprocs=4)
    mp.spawn(started_for_one, args=(folder,), nprocs=4)
    mp.spawn(fn=started_by_name, args=(folder,), nprocs=4)
    torch.save(torch.zeros(1), os.path.join(folder, "after.pt"))


def starts_from_afar(folder):
    torch.save(torch.zeros(1), os.path.join(folder, "afar.pt"))
    starts(folder)


def run_part(rank, folder):
    dist.init_process_group("gloo", rank=rank, world_size=4)
    torch.save(torch.zeros(1), os.path.join(folder, "part.pt"))  # expect: TL112


def starts_by_hand(folder):
    torch.save(torch.zeros(1), os.path.join(folder, "by_hand.pt"))
    for rank in range(4):
        mp.Process(target=run_part, args=(rank, folder)).start()


def read(folder):
    print(os.listdir(folder))


def joins_and_starts_readers(folder):
    dist.init_process_group("gloo")
    for _ in range(4):
        mp.Process(target=read, args=(folder,)).start()
    torch.save(torch.zeros(1), os.path.join(folder, "readers.pt"))  # expect: TL112
