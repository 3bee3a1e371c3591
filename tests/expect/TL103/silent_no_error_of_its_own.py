"""What fails in these `try` bodies fails on all ranks, or ends the job."""

import json
import os

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def wrap(model):
    try:
        count = int(os.environ["WORLD_SIZE"])
        many = count > 1
    except:  # noqa: E722
        many = False
    if many:
        model = DistributedDataParallel(model)
    return model


def wait_for_all(scores):
    dist.barrier()
    return scores


def check_reader(path):
    try:
        with open(path) as file:
            found = json.load(file)
    except Exception:
        assert False, "the reader fails"
    wait_for_all(found)


def check_readers(paths):
    for path in paths:
        try:
            with open(path) as file:
                found = json.load(file)
            wait_for_all(found)
        except Exception:
            assert 0, "a reader fails"
