"""What the job keeps for all its files."""

import torch.distributed as dist

LEADER = False
VERBOSE = False
CHIEF = None
MODE = "plain"
STARTED = False


def find_leader():
    global LEADER
    LEADER = dist.get_rank() == 0


def speak(verbose):
    global VERBOSE
    VERBOSE = verbose


def started():
    global STARTED
    STARTED = True
