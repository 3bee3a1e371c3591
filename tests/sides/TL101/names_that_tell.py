"""What is called by the name of a rank, of which nothing more is in sight; and names that say nothing."""

import torch.distributed as dist
from helpers import *  # noqa: F403


class Setup:
    def __init__(self, args):
        self.args = args

    @property
    def first(self):
        return True

    @property
    def depth(self):
        return self.args.depth


class RankedSetup(Setup):
    def __init__(self, args, place):
        super().__init__(args)
        self.place = place

    @property
    def first(self):
        return self.place == 0


def wait_if_first(setup: Setup):
    if setup.first:
        dist.barrier()


def of_the_derived_class(args):
    setup = RankedSetup(args, dist.get_rank())
    if setup.first:
        dist.barrier()  # expect: TL101


def of_the_class(args):
    setup = Setup(args)
    if setup.first:
        dist.barrier()


def property_that_is_no_matter_of_ranks(args):
    setup = RankedSetup(args, dist.get_rank())
    if setup.depth:
        dist.barrier()


def method_that_is_there(args):
    setup = Setup(args)
    if setup.__init__:
        dist.barrier()


def function_out_of_sight():
    if is_main_process():  # noqa: F405
        dist.barrier()  # expect: TL101


def another_function_out_of_sight():
    if is_ready():  # noqa: F405
        dist.barrier()


def handed_function(is_main_process):
    if is_main_process():
        dist.barrier()  # expect: TL101


def handed_another_function(is_ready):
    if is_ready():
        dist.barrier()


def method_out_of_sight(args):
    if args.env.is_main_process():
        dist.barrier()  # expect: TL101


def parameter(local_rank):
    if local_rank == 0:
        dist.barrier()  # expect: TL101


def parameter_with_a_default(rank=0):
    if rank == 0:
        dist.barrier()  # expect: TL101


def parameter_of_another_name(level):
    if level == 0:
        dist.barrier()


def waits(first):
    if first:
        dist.barrier()  # expect: TL101


def tells_it(args):
    waits(dist.get_rank() == 0)


def tells_it_again(args):
    waits(dist.get_rank() == 0)


def waits_for_all(ready):
    if ready:
        dist.barrier()


def tells_all(args):
    waits_for_all(dist.get_world_size() > 1)


def along_an_axis(mesh):
    if mesh.get_local_rank("tp") == 0:
        dist.barrier()  # expect: TL101


def number_of_its_machine(env):
    if env.get_local_rank() == 0:
        dist.barrier()  # expect: TL101
