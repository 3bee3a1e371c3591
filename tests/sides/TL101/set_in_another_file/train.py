"""Asks for names of another file, and sets some of them."""

import state
import torch.distributed as dist
from state import STARTED, is_leader


def meets_as_leader():
    if state.LEADER:
        dist.barrier()  # expect: TL101


def meets_as_leader_by_function():
    if is_leader():
        dist.barrier()  # expect: TL101


def meets_if_loud():
    if state.LOUD:
        dist.barrier()


def meets_as_writer():
    if state.WRITER:
        dist.barrier()  # expect: TL101


def meets_as_guide():
    if state.GUIDE:
        dist.barrier()  # expect: TL101


def meets_if_started():
    if STARTED:
        dist.barrier()
    if state.STARTED:
        dist.barrier()


def meets_at_the_first_place():
    if state.PLACE == 0:
        dist.barrier()  # expect: TL101


def meets_if_there_are_several():
    if state.SIZE > 1:
        dist.barrier()


def opens():
    if dist.get_rank() == 0:
        state.OPEN = True
    if state.OPEN:
        dist.barrier()  # expect: TL101


def shuts():
    if dist.get_world_size() > 1:
        state.SHUT = True
    if state.SHUT:
        dist.barrier()


def begins_a_diary(path):
    if dist.get_rank() == 0:
        state.DIARY = open(path, "w")
    if state.DIARY is not None:
        dist.barrier()  # expect: TL101


def says_who_is_first():
    state.FLAGS["first"] = dist.get_rank() == 0


def says_who_is_loud(args):
    state.FLAGS["loud"] = args.verbose


def meets_if_first():
    if state.FLAGS["first"]:
        dist.barrier()  # expect: TL101


def meets_if_it_is_loud():
    if state.FLAGS["loud"]:
        dist.barrier()


def main(args):
    state.mark_leader()
    state.mark_loud(args)
    state.mark_writer()
    state.mark_writer_again()
    state.mark_guide_or_not(args)
    state.mark_started()
    state.measure()
    says_who_is_first()
    says_who_is_loud(args)
