"""One half of a meeting stands in a function, the other in its callers, in the other side of a with, or nowhere."""

import torch.distributed as dist


def first_half():
    if dist.get_rank() != 0:
        dist.barrier()


def second_half():
    if dist.get_rank() == 0:
        dist.barrier()


def both_halves(fetch):
    first_half()
    fetch()
    second_half()


def lonely_half():
    if dist.get_rank() != 0:
        dist.barrier()  # expect: TL101


def one_half_only(fetch):
    lonely_half()
    fetch()


def half_for_two():
    if dist.get_rank() != 0:
        dist.barrier()  # expect: TL101


def makes_it_good(fetch):
    half_for_two()
    fetch()
    if dist.get_rank() == 0:
        dist.barrier()


def makes_it_no_better(fetch):
    half_for_two()
    fetch()


def half_of_nobody():
    if dist.get_rank() != 0:
        dist.barrier()  # expect: TL101


def half_deep():
    if dist.get_rank() != 0:
        dist.barrier()


def hands_on_deep():
    half_deep()


def good_from_afar():
    hands_on_deep()
    if dist.get_rank() == 0:
        dist.barrier()


def half_that_calls_itself(depth):
    if dist.get_rank() != 0:
        dist.barrier()  # expect: TL101
    if depth > 0:
        half_that_calls_itself(depth - 1)


class FirstAlone:
    """The first comes in at once, the others when it has left."""

    def __enter__(self):
        if dist.get_rank() != 0:
            dist.barrier()

    def __exit__(self, *_):
        if dist.get_rank() == 0:
            dist.barrier()


class HalfWay:
    def __enter__(self):
        if dist.get_rank() != 0:
            dist.barrier()  # expect: TL101

    def __exit__(self, *_):
        print("done")


class OneSide:
    def __enter__(self):
        if dist.get_rank() != 0:
            dist.barrier()  # expect: TL101


class NoSide:
    """No side of a with: methods of other names are called one by one."""

    def enter(self):
        if dist.get_rank() != 0:
            dist.barrier()  # expect: TL101

    def leave(self):
        print("done")


def only_for_the_first():
    assert dist.get_rank() == 0
    print("saving")


def assertion_of_the_caller():
    if dist.get_rank() == 0:
        only_for_the_first()
    dist.barrier()
