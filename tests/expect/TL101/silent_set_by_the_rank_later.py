"""A name of the file that is set by the rank, and asked for before that: all ranks see what it was before."""

import torch.distributed as dist

LEADER = False
PLACE = 0


def prepare(tensor):
    if LEADER:
        dist.all_reduce(tensor)


def setup():
    global LEADER
    LEADER = dist.get_rank() == 0


def early(tensor):
    if PLACE == 0:
        dist.all_reduce(tensor)


def begin():
    global PLACE
    PLACE = dist.get_rank()


def launch(tensor):
    begin()
    return tensor


def main(tensor):
    dist.init_process_group("gloo")
    prepare(tensor)
    early(tensor)
    setup()
    launch(tensor)


if __name__ == "__main__":
    main(None)
