"""Context managers of the project that meet the others before the body, behind it, or not at all."""

import contextlib

import torch.distributed as dist


@contextlib.contextmanager
def waiting_behind():
    yield
    dist.barrier()


@contextlib.contextmanager
def waiting_before():
    dist.barrier()
    yield


@contextlib.contextmanager
def first_the_main_one():
    if dist.get_rank() != 0:
        dist.barrier()
    yield
    if dist.get_rank() == 0:
        dist.barrier()


@contextlib.contextmanager
def quietly():
    yield


class Waiting:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        dist.barrier()


class WaitingBefore:
    def __enter__(self):
        dist.barrier()
        return self

    def __exit__(self, *error):
        return False


class Quiet:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None


def behind_on_one(work):
    if dist.get_rank() == 0:
        with waiting_behind():  # expect: TL101
            work()


def behind_on_all(work):
    with waiting_behind():
        if dist.get_rank() == 0:
            work()


def before_on_one(work):
    if dist.get_rank() == 0:
        with waiting_before():  # expect: TL101
            work()


def quietly_on_one(work):
    if dist.get_rank() == 0:
        with quietly():
            work()


def in_turn(work):
    with first_the_main_one():
        work()


def in_turn_on_one(work):
    if dist.get_rank() == 0:
        with first_the_main_one():  # expect: TL101
            work()


def left_by_one(work):
    with waiting_before():
        if dist.get_rank() == 0:
            return
        work()


def chosen(work, args):
    with waiting_behind() if args.wait else contextlib.nullcontext():
        work()


def chosen_by_the_rank(work):
    with waiting_behind() if dist.get_rank() == 0 else contextlib.nullcontext():  # expect: TL101
        work()


def chosen_quiet_by_the_rank(work):
    with quietly() if dist.get_rank() == 0 else contextlib.nullcontext():
        work()


def chosen_the_other_way(work):
    with contextlib.nullcontext() if dist.get_rank() == 0 else Waiting():  # expect: TL101
        work()


def object_on_one(work):
    if dist.get_rank() == 0:
        with Waiting():  # expect: TL101
            work()


def object_before_on_one(work):
    if dist.get_rank() == 0:
        with WaitingBefore():  # expect: TL101
            work()


def quiet_object_on_one(work):
    if dist.get_rank() == 0:
        with Quiet():
            work()


def object_on_all(work):
    with Waiting():
        if dist.get_rank() == 0:
            return work()
    return None


def object_by_name(work):
    waiting = Waiting()
    if dist.get_rank() == 0:
        with waiting:  # expect: TL101
            work()


def two_at_once(work):
    if dist.get_rank() == 0:
        with quietly(), waiting_behind():  # expect: TL101
            work()


def in_a_loop(work, count):
    for _ in range(count):
        with waiting_behind():
            if dist.get_rank() == 0:
                continue
            work()
