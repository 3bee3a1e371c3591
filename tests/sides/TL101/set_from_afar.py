"""A name of the file, or an attribute, is set on some ranks by a function; later it is asked for."""

import os

import torch.distributed as dist

READY = False
LATE = False
EQUAL = False
FOUND = None
COUNT = 0
UNKNOWN = None


def prepare():
    global READY
    if dist.get_rank() == 0:
        READY = True


def prepare_late():
    global LATE
    if dist.get_rank() == 0:
        LATE = True


def prepare_all():
    global EQUAL
    EQUAL = True


def find(path):
    global FOUND
    if dist.get_rank() == 0:
        FOUND = open(path)


def count():
    global COUNT
    COUNT = dist.get_rank()


def ask_somebody(answer):
    global UNKNOWN
    UNKNOWN = answer()


def ready():
    prepare()
    if READY:
        dist.barrier()  # expect: TL101


def not_ready():
    if LATE:
        dist.barrier()
    prepare_late()


def equally_ready():
    prepare_all()
    if EQUAL:
        dist.barrier()


def found(path):
    find(path)
    if FOUND is not None:
        dist.barrier()  # expect: TL101


def counted():
    count()
    if COUNT == 0:
        dist.barrier()  # expect: TL101


def unknown(answer):
    ask_somebody(answer)
    if UNKNOWN:
        dist.barrier()


class Run:
    def __init__(self):
        self.first = dist.get_rank() == 0
        self.writer = None
        self.state = None
        self.closed = False
        self.mode = "rest"

    def open(self, path):
        if self.first:
            self.writer = open(path, "w")

    def load(self, path):
        self.state = os.path.exists(path)

    def close(self, force):
        if self.first and force:
            self.closed = True

    def choose(self):
        self.mode = "first" if self.first else "rest"

    def with_a_writer(self, path):
        self.open(path)
        if self.writer:
            dist.barrier()  # expect: TL101

    def with_a_state(self, path):
        self.load(path)
        if self.state:
            dist.barrier()

    def when_closed(self, force):
        self.close(force)
        if self.closed:
            dist.barrier()  # expect: TL101

    def by_mode(self):
        self.choose()
        if self.mode == "first":
            dist.barrier()  # expect: TL101


def main(path, answer, force):
    run = Run()
    run.with_a_writer(path)
    run.with_a_state(path)
    run.when_closed(force)
    run.by_mode()
