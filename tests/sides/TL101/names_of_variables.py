"""Environment variables whose names are kept somewhere, and the numbers that stand in them."""

import os

import torch.distributed as dist

KEY = "RANK"
OTHER_KEY = "RUN_NAME"


class Names:
    rank = "RANK"
    run = "RUN_NAME"


def by_a_constant():
    if int(os.environ[KEY]) == 0:
        dist.barrier()  # expect: TL101


def by_another_constant():
    if os.environ[OTHER_KEY] == "first":
        dist.barrier()


def by_a_constant_asked_for():
    if os.environ.get(KEY, "0") == "0":
        dist.barrier()  # expect: TL101


def by_a_constant_of_the_library_function():
    if os.getenv(KEY) == "0":
        dist.barrier()  # expect: TL101


def by_an_attribute():
    if os.environ[Names.rank] == "0":
        dist.barrier()  # expect: TL101


def by_another_attribute():
    if os.environ[Names.run] == "0":
        dist.barrier()


def asks(name):
    return os.environ[name] == "0"


def handed_the_name():
    if asks("RANK"):
        dist.barrier()  # expect: TL101


def handed_another_name():
    if asks("RUN_NAME"):
        dist.barrier()


def by_a_name_from_outside(args):
    if os.environ[args.variable] == "0":
        dist.barrier()


def put_together(prefix):
    if os.environ[prefix + "_FIRST"] == "0":
        dist.barrier()


def text_that_is_there():
    if os.environ["RANK"]:
        dist.barrier()


def number_of_processes():
    if int(os.environ["WORLD_SIZE"]) > 1:
        dist.barrier()


def first_of_its_machine():
    if int(os.environ["LOCAL_RANK"]) == 0:
        dist.barrier()  # expect: TL101


def number_or_default():
    if int(os.environ.get("RANK", 0)) > 0:
        dist.barrier()  # expect: TL101


def is_a_number():
    if os.environ["RANK"].isdigit():
        dist.barrier()
