"""Two conditions of helpers that the two sides of a test call: another key, another thing, the opposite, another call."""

import os

import torch.distributed as dist
from engine import is_sharded, is_wrapped


def on_gpu(use):
    if use["gpu"]:
        dist.barrier()


def on_cpu(use):
    if use["cpu"]:
        dist.barrier()


def not_on_gpu(use):
    if not use["gpu"]:
        dist.barrier()


def off_gpu(use):
    if use["gpu"]:
        dist.barrier()


def another_key(use, rank):
    if rank == 0:
        on_gpu(use)  # expect: TL101
    else:
        on_cpu(use)  # expect: TL101


def another_thing(use, spare, rank):
    if rank == 0:
        on_gpu(use)  # expect: TL101
    else:
        off_gpu(spare)  # expect: TL101


def the_opposite(use, rank):
    if rank == 0:
        on_gpu(use)  # expect: TL101
    else:
        not_on_gpu(use)  # expect: TL101


def one_side(use, rank):
    if rank == 0:
        on_gpu(use)  # expect: TL101


def few(models):
    if len(models) < 2:
        dist.barrier()


def many(models):
    if len(models) >= 2:
        dist.barrier()


def none_there(models):
    if not len(models):
        dist.barrier()


def some_there(models):
    if models:
        dist.barrier()


def sizes(models):
    if dist.get_rank() == 0:
        few(models)  # expect: TL101
    else:
        many(models)  # expect: TL101


def emptiness(models):
    if dist.get_rank() == 0:
        none_there(models)  # expect: TL101
    else:
        some_there(models)  # expect: TL101


def if_sharded(model):
    if is_sharded(model):
        dist.barrier()


def if_wrapped(model):
    if is_wrapped(model):
        dist.barrier()


def if_the_state_is_sharded(model, optimizer):
    if is_sharded(optimizer):
        dist.barrier()


def if_sharded_on_the_host(model):
    if is_sharded(model, device="cpu"):
        dist.barrier()


def another_question(model):
    if dist.get_rank() == 0:
        if_sharded(model)  # expect: TL101
    else:
        if_wrapped(model)  # expect: TL101


def another_argument(model, optimizer):
    if dist.get_rank() == 0:
        if_sharded(model)  # expect: TL101
    else:
        if_the_state_is_sharded(model, optimizer)  # expect: TL101


def one_argument_more(model):
    if dist.get_rank() == 0:
        if_sharded(model)  # expect: TL101
    else:
        if_sharded_on_the_host(model)  # expect: TL101


def debugging():
    if os.environ.get("SYNC_OFTEN", "0") == "1":
        dist.barrier()


def profiling():
    if os.environ.get("PROFILE", "0") == "1":
        dist.barrier()


def another_variable():
    if dist.get_rank() == 0:
        debugging()  # expect: TL101
    else:
        profiling()  # expect: TL101


def any_sharded(models):
    if any(model.sharded for model in models):
        dist.barrier()


def any_frozen(models):
    if any(model.frozen for model in models):
        dist.barrier()


def another_comprehension(models):
    if dist.get_rank() == 0:
        any_sharded(models)  # expect: TL101
    else:
        any_frozen(models)  # expect: TL101


def has(models, name):
    for model in models:
        if model.name == name:
            return True
    return False


def has_teacher(models):
    if has(models, "teacher"):
        dist.barrier()


def has_student(models):
    if has(models, "student"):
        dist.barrier()


def another_name(models):
    if dist.get_rank() == 0:
        has_teacher(models)  # expect: TL101
    else:
        has_student(models)  # expect: TL101
