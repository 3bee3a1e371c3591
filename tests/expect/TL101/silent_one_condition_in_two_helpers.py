"""One condition, asked in two helpers of what is one thing: whichever way it goes, the ranks go it together."""

import os

import torch.distributed as dist
from engine import is_sharded, read, should_save

CONFIG = read()


# An item, a key that may be missing, membership.
def save_item(use):
    if use["gpu"]:
        dist.barrier()


def load_item(use):
    if use["gpu"]:
        dist.barrier()


def got(use):
    if use.get("gpu"):
        dist.barrier()


def got_or_not(use):
    if use.get("gpu", False):
        dist.barrier()


def is_in(use):
    if "gpu" in use:
        dist.barrier()


def unless_missing(use):
    if "gpu" not in use:
        return
    dist.barrier()


def items(use, rank):
    if rank == 0:
        save_item(use)
    else:
        load_item(use)


def keys(use, rank):
    if rank == 0:
        got(use)
    else:
        got_or_not(use)


def missing(use, rank):
    if rank == 0:
        is_in(use)
    else:
        unless_missing(use)


# How many there are: some, or none.
def several(models):
    if len(models) > 1:
        dist.barrier()


def not_one(models):
    if len(models) <= 1:
        return
    dist.barrier()


def any_there(models):
    if models:
        dist.barrier()


def some(models):
    if len(models) > 0:
        dist.barrier()


def unless_empty(models):
    if 0 == len(models):
        return
    dist.barrier()


def sizes(models):
    if dist.get_rank() == 0:
        several(models)
    else:
        not_one(models)


def emptiness(models):
    if dist.get_rank() == 0:
        any_there(models)
    else:
        some(models)


def emptiness_too(models):
    if dist.get_rank() == 0:
        unless_empty(models)
    else:
        any_there(models)


# Calls of which nothing is known, with the same arguments.
def saving(model, step):
    if is_sharded(model) and should_save(step, every=CONFIG["every"]):
        dist.barrier()


def waiting(model, step):
    if is_sharded(model) and should_save(step, every=CONFIG["every"]):
        dist.barrier()


def calls(model, step):
    if dist.get_rank() == 0:
        saving(model, step)
    else:
        waiting(model, step)


def method(model):
    if model.is_sharded():
        dist.barrier()


def same_method(module):
    if not module.is_sharded():
        return
    dist.barrier()


def methods(model):
    if dist.get_rank() == 0:
        method(model)
    else:
        same_method(model)


# Arithmetic, texts, variables, comprehensions.
def every(step, interval):
    if step % interval == 0:
        dist.barrier()


def every_one(step, interval):
    if (step % interval) == 0:
        dist.barrier()


def arithmetic(step, config):
    if dist.get_rank() == 0:
        every(step, config["interval"])
    else:
        every_one(step, config["interval"])


def named(name, tag):
    if f"{name}-{tag}" == "base-x":
        dist.barrier()


def named_so(name, tag):
    if f"{name}-{tag}" == "base-x":
        dist.barrier()


def texts(name, tag):
    if dist.get_rank() == 0:
        named(name, tag)
    else:
        named_so(name, tag)


def debugging():
    if os.environ.get("SYNC_OFTEN", "0") == "1":
        dist.barrier()


def also_debugging():
    if os.getenv("SYNC_OFTEN", "0") == "1":
        dist.barrier()


def variables():
    if dist.get_rank() == 0:
        debugging()
    else:
        also_debugging()


def any_sharded(models):
    if any(model.sharded for model in models):
        dist.barrier()


def one_sharded(models):
    if any(m.sharded for m in models):
        dist.barrier()


def comprehensions(models):
    if dist.get_rank() == 0:
        any_sharded(models)
    else:
        one_sharded(models)


# What a helper of the project answers by a loop.
def has_sharded(models):
    for model in models:
        if model.sharded:
            return True
    return False


def how_many(models):
    number = 0
    for model in models:
        if model.sharded:
            number += 1
    return number


def saves_if_any(models):
    if has_sharded(models) and how_many(models) > 2:
        dist.barrier()


def waits_if_any(models):
    if has_sharded(models) and how_many(models) > 2:
        dist.barrier()


def answers(models):
    if dist.get_rank() == 0:
        saves_if_any(models)
    else:
        waits_if_any(models)


# One object, reached as an attribute, as an argument, and from a function around.
def prepare(use):
    if len(use["devices"]) > 1:
        dist.barrier()


class Trainer:
    def __init__(self, use, model):
        self.use = use
        self.model = model

    @property
    def is_parallel(self):
        return len(self.use["devices"]) > 1

    def finish(self):
        if len(self.use["devices"]) > 1:
            dist.barrier()

    def first(self):
        if self.is_parallel and not self.use.get("quick"):
            dist.barrier()

    def second(self):
        if not self.is_parallel or self.use["quick"]:
            return
        dist.barrier()

    def run(self):
        if dist.get_rank() == 0:
            prepare(self.use)
        else:
            self.finish()

    def start(self):
        if dist.get_rank() == 0:
            self.first()
        else:
            self.second()


def around(use):
    def finish():
        if len(use["devices"]) > 1:
            dist.barrier()

    if dist.get_rank() == 0:
        prepare(use)
    else:
        finish()


# Two calls of one function.
def split(use, rank):
    if rank != 0 and len(use) > 1:
        dist.barrier()
    build(use)
    if rank == 0 and len(use) > 1:
        dist.barrier()


def build(use):
    print(use)
