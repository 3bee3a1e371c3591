"""Annotations of other classes, and of accelerators that all ranks wait with."""

from accelerate import Accelerator
from clusters import Cluster

_current = None


class Local:
    is_main_process = True

    def wait_for_everyone(self):
        return None


def current() -> Accelerator:
    return _current


def cluster() -> Cluster:
    return _current


def local() -> Local:
    return Local()


def mistaken() -> Accelerator:
    """What is in sight counts, not what is said of it."""
    return Local()


def finish(report):
    boss = current()
    boss.wait_for_everyone()
    if boss.is_main_process:
        report()
    boss.wait_for_everyone()


def elsewhere(report):
    there = cluster()
    if there.is_main_process:
        there.wait_for_everyone()
    here = local()
    if here.is_main_process:
        here.wait_for_everyone()
    one = mistaken()
    if one.is_main_process:
        one.wait_for_everyone()
    report(one)
