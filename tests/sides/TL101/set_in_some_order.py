"""A name or attribute is set by several functions, on some ranks, on all, with the same or with another value."""

import os

import torch.distributed as dist

BACK = False
TRUE_OR_ONE = True
EITHER = None
UNDER_MODE = False
LED = False
LED_FIRST = False
LED_TWICE = False
BOTH = None
ASKED_HERE = False


def set_and_back():
    global BACK
    if dist.get_rank() == 0:
        BACK = True
    else:
        BACK = True


def back():
    set_and_back()
    if BACK:
        dist.barrier()


def set_to_one():
    global TRUE_OR_ONE
    if dist.get_rank() == 0:
        TRUE_OR_ONE = 1


def true_or_one():
    set_to_one()
    if TRUE_OR_ONE:
        dist.barrier()


def set_by_size(make, limit):
    global EITHER
    if dist.get_world_size() > limit:
        EITHER = make()


def either(make, limit):
    set_by_size(make, limit)
    if EITHER is not None:
        dist.barrier()


def set_under_mode(debug):
    global UNDER_MODE
    if debug and dist.get_rank() == 0:
        UNDER_MODE = True


def under_mode(debug):
    set_under_mode(debug)
    if UNDER_MODE:
        dist.barrier()  # expect: TL101


def note_led():
    global LED
    LED = True


def lead_all(debug):
    if debug:
        note_led()


def led(debug):
    lead_all(debug)
    if LED:
        dist.barrier()


def note_first():
    global LED_FIRST
    LED_FIRST = True


def lead_first():
    if dist.get_rank() == 0:
        note_first()


def led_first():
    lead_first()
    if LED_FIRST:
        dist.barrier()  # expect: TL101


def note_twice():
    global LED_TWICE
    LED_TWICE = True


def lead_twice():
    if dist.get_rank() == 0:
        note_twice()
    else:
        note_twice()


def led_twice():
    lead_twice()
    if LED_TWICE:
        dist.barrier()


def set_both(path):
    global BOTH
    BOTH = open(path) if dist.get_rank() == 0 else None


def both(path):
    set_both(path)
    if BOTH:
        dist.barrier()  # expect: TL101


def sets_and_asks():
    global ASKED_HERE
    if ASKED_HERE:
        dist.barrier()
    if dist.get_rank() == 0:
        ASKED_HERE = True


class Trainer:
    def __init__(self):
        self.stop = False
        self.lead = None
        self.same = None
        self.asked = None
        self.writer = None

    def fit(self, rounds):
        for _ in range(rounds):
            if self.stop:
                dist.barrier()  # expect: TL101

    def once(self):
        if self.lead:
            dist.barrier()  # expect: TL101

    def alike(self):
        if self.same:
            dist.barrier()

    def told(self):
        if self.asked:
            dist.barrier()

    def with_writer(self):
        if self.writer is not None:
            dist.barrier()  # expect: TL101


def main(make, limit, debug, path, answer):
    dist.init_process_group("nccl")
    back()
    true_or_one()
    either(make, limit)
    under_mode(debug)
    led(debug)
    led_first()
    led_twice()
    both(path)
    sets_and_asks()
    trainer = Trainer()
    trainer.stop = dist.get_rank() == 0
    trainer.lead = dist.get_rank() == 0
    trainer.same = dist.get_world_size() > 1
    trainer.asked = answer()
    if dist.get_rank() == 0:
        trainer.writer = open(path)
    trainer.fit(3)
    trainer.once()
    trainer.alike()
    trainer.told()
    trainer.with_writer()


if __name__ == "__main__":
    main(list, 3, True, os.devnull, input)
