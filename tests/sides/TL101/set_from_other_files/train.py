"""Asks what other files set, and sets something there itself."""

import torch.distributed as dist

import state
from settings import Settings


def main(args):
    state.find_leader()
    state.speak(args.verbose)
    state.started()
    state.CHIEF = dist.get_rank() == 1
    state.MODE = args.mode
    leads()
    speaks()
    is_chief()
    mode()
    is_started()


def leads():
    if state.LEADER:
        dist.barrier()  # expect: TL101


def speaks():
    if state.VERBOSE:
        dist.barrier()


def is_chief():
    if state.CHIEF:
        dist.barrier()  # expect: TL101


def mode():
    if state.MODE == "shared":
        dist.barrier()


def is_started():
    if state.STARTED:
        dist.barrier()


def prepare(settings):
    settings.main = dist.get_rank() == 0
    settings.depth = 3


def with_settings():
    settings = Settings()
    prepare(settings)
    if settings.main:
        dist.barrier()  # expect: TL101
    if settings.depth:
        dist.barrier()
    if settings.width:
        dist.barrier()


def prepare_twice(settings):
    prepare_wide(settings)


def prepare_wide(settings):
    settings.width = dist.get_rank()


def with_other_settings():
    settings = Settings()
    prepare_twice(settings)
    if settings.width:
        dist.barrier()  # expect: TL101


def of_the_class_alike():
    if Settings.count:
        dist.barrier()


if __name__ == "__main__":
    main(None)
    Settings.choose()
