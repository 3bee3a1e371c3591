"""What the run keeps at the top of a file."""

import torch.distributed as dist

LEADER = False
LOUD = False
WRITER = False
GUIDE = False
STARTED = False
PLACE = None
SIZE = None
OPEN = False
SHUT = False
DIARY = None
TOTALS = {"seen": 0, "best": 0}
FLAGS = {"first": False, "loud": False}


def mark_leader():
    global LEADER
    LEADER = dist.get_rank() == 0


def mark_loud(args):
    global LOUD
    LOUD = args.verbose


def mark_writer():
    global WRITER
    WRITER = dist.get_rank() == 0


def mark_writer_again():
    global WRITER
    WRITER = dist.get_rank() == 0


def mark_guide_or_not(args):
    global GUIDE
    GUIDE = dist.get_rank() == args.guide


def mark_started():
    global STARTED
    STARTED = True


def measure():
    global PLACE, SIZE
    PLACE = dist.get_rank()
    SIZE = dist.get_world_size()


def is_leader():
    return LEADER
