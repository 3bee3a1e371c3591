"""One function is called in several ways: what it is passed decides whether it meets, and with whom."""

import torch.distributed as dist


def skip():
    print("skipped")


def sync(wanted):
    if wanted:
        dist.barrier()  # expect: TL101


def sync_by_default(wanted=True):
    if wanted:
        dist.barrier()


def sync_no_default(wanted=False):
    if wanted:
        dist.barrier()


def sync_if_given(path=None):
    if path is not None:
        dist.barrier()


def run(step):
    step()


def run_all(steps):
    for step in steps:
        step()


def wanted():
    if dist.get_rank() == 0:
        sync(True)  # expect: TL101


def not_wanted():
    if dist.get_rank() == 0:
        sync(False)


def wanted_by_default():
    if dist.get_rank() == 0:
        sync_by_default()  # expect: TL101


def not_wanted_against_the_default():
    if dist.get_rank() == 0:
        sync_by_default(wanted=False)


def not_wanted_by_default():
    if dist.get_rank() == 0:
        sync_no_default()


def wanted_against_the_default():
    if dist.get_rank() == 0:
        sync_no_default(True)  # expect: TL101


def given_a_path():
    if dist.get_rank() == 0:
        sync_if_given("last.pt")  # expect: TL101


def given_no_path():
    if dist.get_rank() == 0:
        sync_if_given()


def given_none():
    if dist.get_rank() == 0:
        sync_if_given(None)


def handed_a_meeting():
    if dist.get_rank() == 0:
        run(dist.barrier)  # expect: TL101


def handed_something_else():
    if dist.get_rank() == 0:
        run(skip)


def handed_meetings():
    if dist.get_rank() == 0:
        run_all([skip, dist.barrier])  # expect: TL101


def handed_others():
    if dist.get_rank() == 0:
        run_all([skip, skip])


class Saver:
    def __init__(self, together):
        self.together = together

    def save(self):
        if self.together:
            dist.barrier()


class Loud(Saver):
    def save(self):
        print("saving")


def of_one_that_meets():
    if dist.get_rank() == 0:
        Saver(True).save()  # expect: TL101


def of_one_that_does_not():
    if dist.get_rank() == 0:
        Saver(False).save()


def of_one_by_keyword():
    if dist.get_rank() == 0:
        Saver(together=True).save()  # expect: TL101


def of_another_class():
    if dist.get_rank() == 0:
        Loud(True).save()


def by_the_rank():
    sync(dist.get_rank() == 0)


def reduce_with(tensor, group):
    dist.all_reduce(tensor, group=group)


def among_all(tensor):
    if dist.get_rank() == 0:
        reduce_with(tensor, dist.group.WORLD)  # expect: TL101


def among_two(tensor):
    pair = dist.new_group([0, 1])
    if dist.get_rank() < 2:
        reduce_with(tensor, pair)
