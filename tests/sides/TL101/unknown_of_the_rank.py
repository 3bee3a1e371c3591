"""Questions about the rank that nobody can answer before the job runs: what they are compared with comes from outside."""

import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh


def chief(args):
    if dist.get_rank() == args.chief:
        dist.barrier()  # expect: TL101


def chief_and_the_others(args):
    if dist.get_rank() == args.chief:
        dist.barrier()
    else:
        dist.barrier()


def not_the_chief_and_the_chief(args):
    rank = dist.get_rank()
    if rank != args.chief:
        dist.barrier()
    if not rank != args.chief:
        dist.barrier()


def not_the_chief_twice(args):
    rank = dist.get_rank()
    if rank != args.chief:
        dist.barrier()  # expect: TL101
    if not rank == args.chief:
        dist.barrier()  # expect: TL101


def turned_twice(args):
    if not dist.get_rank() != args.chief:
        dist.barrier()  # expect: TL101


def first_along_an_axis(world):
    mesh = init_device_mesh("cuda", (world // 8, 8), mesh_dim_names=("dp", "tp"))
    if not mesh.get_local_rank("dp"):
        dist.barrier()  # expect: TL101


def place_that_is_there(args):
    place = dist.get_rank() - args.first
    if place is None:
        dist.barrier()


def place_that_is_not_missing(args):
    place = dist.get_rank() - args.first
    if place is not None:
        dist.barrier()


def place_that_is_not_the_first(args):
    place = dist.get_rank() - args.first
    if place:
        dist.barrier()  # expect: TL101


def one_or_nothing(args):
    share = 1 if dist.get_rank() == args.chief else 0
    if share:
        dist.barrier()  # expect: TL101


def bits_of_the_rank(args):
    if ~args.mask & dist.get_rank():
        dist.barrier()  # expect: TL101


def bits_of_nobody(args):
    if ~args.mask & args.bits:
        dist.barrier()


def one_of_those_named(args):
    if dist.get_rank() in args.writers:
        dist.barrier()  # expect: TL101


def none_of_those_named(args):
    if dist.get_rank() not in args.writers:
        dist.barrier()  # expect: TL101


def another_thing_among_those_named(args):
    if args.name in args.writers:
        dist.barrier()


def the_first_or_one_more(args):
    if dist.get_rank() in (0, args.other):
        dist.barrier()  # expect: TL101


def by_the_rank_or_for_all(args):
    if dist.get_rank() == args.chief or True:
        dist.barrier()


def by_the_rank_and_never(args):
    if dist.get_rank() == args.chief and False:
        dist.barrier()


def by_the_rank_or_a_setting(args):
    if dist.get_rank() == args.chief or args.everywhere:
        dist.barrier()  # expect: TL101


def by_a_setting_first(args):
    if args.everywhere or dist.get_rank() == args.chief:
        dist.barrier()  # expect: TL101


def largest_of_both(args):
    if max(dist.get_rank(), args.first) == args.first:
        dist.barrier()  # expect: TL101


def largest_of_settings(args):
    if max(args.last, args.first) == args.first:
        dist.barrier()


def one_is_the_chief(args):
    rank = dist.get_rank()
    if any([rank == args.chief, rank == args.deputy]):
        dist.barrier()  # expect: TL101


def asked_only_if_told(args):
    speaks = args.loud and dist.get_rank() == args.chief
    if speaks == True:  # noqa: E712
        dist.barrier()  # expect: TL101


def asked_only_if_told_alike(args):
    speaks = args.loud and args.chief == 3
    if speaks == True:  # noqa: E712
        dist.barrier()
