"""A name of the file that is set by the rank before it is asked for: earlier in the caller, in an earlier round, in an earlier call."""

import torch.distributed as dist

LEADER = False
PLACE = 0
HEAD = 0


def prepare(tensor):
    if LEADER:
        dist.all_reduce(tensor)  # expect: TL101


def setup():
    global LEADER
    LEADER = dist.get_rank() == 0


def each_round(tensor):
    if PLACE == 0:
        dist.all_reduce(tensor)  # expect: TL101


def begin():
    global PLACE
    PLACE = dist.get_rank()


def each_call(tensor):
    if HEAD == 0:
        dist.all_reduce(tensor)  # expect: TL101


def find():
    global HEAD
    HEAD = dist.get_rank()


def step(tensor):
    each_call(tensor)
    find()


def main(tensor, steps):
    dist.init_process_group("gloo")
    setup()
    prepare(tensor)
    for _ in range(steps):
        each_round(tensor)
        begin()
    step(tensor)
    step(tensor)


if __name__ == "__main__":
    main(None, 3)
