"""One function is called with other things: whether it meets is a matter of what it is handed."""

import torch.distributed as dist


def meet():
    dist.barrier()


def rest():
    print("resting")


def do_all(steps):
    for step in steps:
        step()


def hands_meetings():
    if dist.get_rank() == 0:
        do_all([meet, rest])  # expect: TL101


def hands_rests():
    if dist.get_rank() == 0:
        do_all([rest, rest])


def hands_a_library():
    if dist.get_rank() == 0:
        do_all((dist.barrier,))  # expect: TL101


def hands_nothing():
    if dist.get_rank() == 0:
        do_all([])


class Meeting:
    def close(self):
        dist.barrier()


class Resting:
    def close(self):
        print("closed")


def close_all(things):
    for thing in things:
        thing.close()


def hands_an_object_that_meets():
    if dist.get_rank() == 0:
        close_all([Resting(), Meeting()])  # expect: TL101


def hands_objects_that_rest():
    if dist.get_rank() == 0:
        close_all([Resting(), Resting()])


def finish(wait=False):
    if wait:
        dist.barrier()


def hands_a_wish():
    if dist.get_rank() == 0:
        finish(wait=True)  # expect: TL101


def hands_no_wish():
    if dist.get_rank() == 0:
        finish()


def hands_no_wish_by_name():
    if dist.get_rank() == 0:
        finish(wait=False)


def finish_all(**options):
    finish(**options)


def hands_wishes_on():
    if dist.get_rank() == 0:
        finish_all(wait=True)  # expect: TL101


def hands_no_wishes_on():
    if dist.get_rank() == 0:
        finish_all(wait=False)


def close_with(thing=None):
    if thing is not None:
        dist.barrier()


def hands_a_thing():
    if dist.get_rank() == 0:
        close_with(Resting())  # expect: TL101


def hands_no_thing():
    if dist.get_rank() == 0:
        close_with()


def hands_none():
    if dist.get_rank() == 0:
        close_with(None)


def agree_on(flags):
    if flags[0]:
        dist.barrier()  # expect: TL101


def hands_flags_of_the_rank():
    flags = [False]
    if dist.get_rank() == 0:
        flags[0] = True
    agree_on(flags)


def agree_in_all(flags):
    if flags[0]:
        dist.barrier()


def hands_flags_of_all():
    flags = [False]
    flags[0] = True
    agree_in_all(flags)


class Job:
    def __init__(self, wait=False, name=None):
        self.wait = wait
        self.name = name

    def end(self):
        if self.wait:
            dist.barrier()


def ends_a_job_that_waits():
    job = Job(wait=True)
    if dist.get_rank() == 0:
        job.end()  # expect: TL101


def ends_a_job_that_does_not_wait():
    job = Job(wait=False)
    if dist.get_rank() == 0:
        job.end()


def ends_a_job_with_a_name():
    job = Job(name="last")
    if dist.get_rank() == 0:
        job.end()


def ends_a_job_that_waits_by_position():
    job = Job(True, "last")
    if dist.get_rank() == 0:
        job.end()  # expect: TL101
