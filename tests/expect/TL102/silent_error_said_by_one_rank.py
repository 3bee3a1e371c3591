"""Something is wrong for all, and one rank says so and ends with an error: the launcher ends the others."""

import os
import sys
import traceback

import torch.distributed as dist


def is_first():
    return not dist.is_initialized() or dist.get_rank() == 0


def complain(text):
    traceback.print_stack()
    sys.exit("error - {}. Leaving".format(text))


def give_up(text):
    print(text)
    sys.exit(1)


def read_settings(path):
    if not os.path.isfile(path) and is_first():
        complain("no settings at {}".format(path))
    with open(path) as file:
        return file.read()


def begin(path):
    settings = read_settings(path)
    dist.barrier()
    return settings


def begin_with_loader(loader):
    if loader is None and is_first():
        give_up("there is no loader")
    dist.barrier()


def begin_with_sizes(width, heads):
    if width % heads:
        if is_first():
            raise ValueError(f"{width} is not a multiple of {heads}")
    dist.barrier()


def own_disk():
    return int(os.environ.get("DISK_RANK") or os.environ.get("LOCAL_RANK", 0))


def check_disk(folder):
    if not folder.startswith("s3://") and own_disk() != dist.get_rank():
        raise RuntimeError("a shared disk, please")
    dist.barrier()


def with_mode(mode):
    if mode == "export" and is_first():
        sys.exit(f"no such mode: {mode}")
    elif mode == "other" and is_first():
        sys.exit(-1)
    elif mode == "third" and is_first():
        sys.exit("no such mode: " + mode)
    dist.barrier()


def gathered(scores):
    dist.all_gather_object([None] * dist.get_world_size(), scores)
    return {name: sum(each) for name, each in scores.items()}


def show(step, scores, all_scores=None):
    if not is_first():
        return
    found = gathered(scores) if all_scores is None else all_scores
    print(step, found)


def report(step, scores):
    everything = gathered(scores)
    show(step, scores, all_scores=everything)


def show_what_was_found(step, scores, found=None):
    if not is_first():
        return
    print(step, gathered(scores) if found is None else found)


def report_with(step, scores, reader):
    show_what_was_found(step, scores, reader.read_all(scores))
