"""Loops over lists that hold other things on rank 0: written down, joined, cut, returned, kept, registered."""

import torch.distributed as dist


def meet():
    dist.barrier()


def note():
    print("noted")


def on_the_first():
    tasks = [note, meet] if dist.get_rank() == 0 else [note]
    for task in tasks:
        task()  # expect: TL101


def on_all():
    tasks = [meet, note] if dist.get_rank() == 0 else [meet]
    for task in tasks:
        task()


def if_it_is_wanted(wanted):
    tasks = [note, meet] if wanted else [note]
    for task in tasks:
        task()


def put_in_on_the_first():
    tasks = [note]
    if dist.get_rank() == 0:
        tasks.append(meet)
    for task in tasks:
        task()  # expect: TL101


def cut_to_one_on_the_others():
    last = 2 if dist.get_rank() == 0 else 1
    for task in [note, meet][:last]:
        task()  # expect: TL101


def cut_for_all():
    tasks = [note, meet] if dist.get_rank() == 0 else [note, note]
    for task in tasks[:1]:
        task()


def cut_where_nobody_knows(count):
    tasks = [note, meet] if dist.get_rank() == 0 else [note, note]
    for task in tasks[:count]:
        task()


FIRST = [note, meet]


def of_the_file():
    if dist.get_rank() == 0:
        for task in FIRST:
            task()  # expect: TL101


def of_the_file_for_all():
    for task in FIRST:
        task()


class Job:
    def on_epoch_end(self):
        pass


class Meet(Job):
    def on_epoch_end(self):
        dist.barrier()


class Note(Job):
    def on_epoch_end(self):
        print("noted")


def tasks_of_two_ways(short):
    if short:
        return [Note()]
    return [Note(), Meet()] if dist.get_rank() == 0 else [Note()]


def returned_in_two_ways(short):
    for job in tasks_of_two_ways(short):
        job.on_epoch_end()


def run(tasks):
    for job in tasks:
        job.on_epoch_end()  # expect: TL101


def handed_on():
    run([Meet()] if dist.get_rank() == 0 else [Note()])


def run_for_all(tasks):
    for job in tasks:
        job.on_epoch_end()


def handed_on_for_all():
    run_for_all([Meet()])


def run_or_meet(tasks):
    for job in tasks or [Meet()]:
        job.on_epoch_end()


def handed_on_or_meet():
    run_or_meet([Meet(), Note()] if dist.get_rank() == 0 else [])


def methods():
    jobs = [Note()]
    if dist.get_rank() == 0:
        jobs.append(Meet())
    for job in jobs:
        job.on_epoch_end()  # expect: TL101


def named_only():
    jobs = [Note()]
    if dist.get_rank() == 0:
        jobs.append(Meet())
    for job in jobs:
        print(job)


class Queue:
    def __init__(self):
        self.jobs = []

    def add(self, job):
        self.jobs.append(job)

    def drain(self):
        for job in self.jobs:
            job.on_epoch_end()  # expect: TL101


def filled_on_the_first():
    queue = Queue()
    queue.add(Note())
    if dist.get_rank() == 0:
        queue.add(Meet())
    queue.drain()


class FullQueue:
    def __init__(self):
        self.jobs = [Meet()]

    def add(self, job):
        self.jobs.append(job)

    def drain(self):
        for job in self.jobs:
            job.on_epoch_end()


def filled_with_notes_on_the_first():
    queue = FullQueue()
    if dist.get_rank() == 0:
        queue.add(Note())
    queue.drain()


class OpenQueue:
    """Its list is replaced by what someone hands in."""

    def __init__(self):
        self.jobs = []

    def replace(self, jobs):
        self.jobs = jobs

    def add(self, job):
        self.jobs.append(job)

    def drain(self):
        for job in self.jobs:
            job.on_epoch_end()


def filled_and_replaced(jobs):
    queue = OpenQueue()
    if dist.get_rank() == 0:
        queue.add(Meet())
    queue.replace(jobs)
    queue.drain()


class OtherEvents:
    def __init__(self):
        self.jobs = {}

    def on(self, name, job):
        self.jobs.setdefault(name, []).append(job)

    def happened(self, name):
        for job in self.jobs.get(name, []):
            job.on_epoch_end()


def registered_for_something_else():
    events = OtherEvents()
    events.on("epoch", Note())
    if dist.get_rank() == 0:
        events.on("step", Meet())
    events.happened("epoch")
