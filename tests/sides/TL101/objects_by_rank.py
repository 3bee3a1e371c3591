"""Which object a rank makes, what it is given, and what is asked of it."""

import dataclasses
from dataclasses import dataclass, field

import torch.distributed as dist


@dataclass
class Place:
    rank: int = field(default_factory=dist.get_rank)
    size: int = field(default_factory=dist.get_world_size)
    depth: int = field(default=2, repr=False)
    names: list = field(repr=False, default_factory=list)


def made_by_a_factory():
    if Place().rank == 0:
        dist.barrier()  # expect: TL101


def size_by_a_factory():
    if Place().size > 1:
        dist.barrier()


def default_of_a_field():
    if Place().depth == 2:
        dist.barrier()


def handed_instead():
    if Place(0).rank == 0:
        dist.barrier()


class Loose:
    first = field(default_factory=dist.get_rank)
    second = field(default_factory=dist.get_world_size)
    third = field(default=1)


def of_a_loose_one(loose: Loose):
    if loose.first:
        dist.barrier()  # expect: TL101


def size_of_a_loose_one(loose: Loose):
    if loose.second:
        dist.barrier()


def default_of_a_loose_one(loose: Loose):
    if loose.third:
        dist.barrier()


def which_is_first():
    return dist.get_rank() == 0


@dataclasses.dataclass
class Own:
    first: bool = dataclasses.field(default_factory=which_is_first)
    wide: bool = dataclasses.field(default=False)


def made_by_a_function():
    if Own().first:
        dist.barrier()  # expect: TL101


def handed_by_name():
    if Own(first=True).first:
        dist.barrier()


def handed_the_rank_by_name():
    if Own(wide=dist.get_rank() > 0).wide:
        dist.barrier()  # expect: TL101


class Chief:
    wait = True

    def speaks(self):
        return True

    def work(self):
        dist.barrier()


class Worker:
    wait = False

    def speaks(self):
        return False

    def work(self):
        return None


def make(args):
    if dist.get_rank() == 0:
        return Chief()
    return Worker()


def make_by_setting(args):
    if args.chief:
        return Chief()
    return Worker()


def method_of_what_was_made(args):
    if make(args).speaks():
        dist.barrier()  # expect: TL101


def method_of_the_same_everywhere(args):
    if make_by_setting(args).speaks():
        dist.barrier()


def attribute_of_what_was_made(args):
    if make(args).wait:
        dist.barrier()  # expect: TL101


def attribute_of_the_same_everywhere(args):
    if make_by_setting(args).wait:
        dist.barrier()


def kind_of_what_was_made(args):
    if isinstance(make(args), Chief):
        dist.barrier()  # expect: TL101


def kind_that_both_are_not(args):
    if isinstance(make(args), (Place, Own)):
        dist.barrier()


def kind_that_both_are(args):
    if isinstance(make(args), (Chief, Worker)):
        dist.barrier()


def kind_of_the_same_everywhere(args):
    if isinstance(make_by_setting(args), Chief):
        dist.barrier()


def kind_of_a_setting(args):
    if isinstance(args.saver, Chief):
        dist.barrier()


def kind_from_a_library(args):
    if isinstance(make(args), dict):
        dist.barrier()


def first(rank):
    return rank == 0


def never(rank):
    return False


def chosen_function(args):
    asks = first if args.chief else never
    if asks(dist.get_rank()):
        dist.barrier()  # expect: TL101


def chosen_function_of_settings(args):
    asks = first if args.chief else never
    if asks(args.place):
        dist.barrier()


def chosen_in_the_call(args):
    if (first if args.chief else never)(args.place):
        dist.barrier()
