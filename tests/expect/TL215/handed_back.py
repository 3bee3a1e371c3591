"""The list that is shuffled is kept by an object, or comes back from a function."""

import glob
import random

import torch.distributed as dist


class Files:
    def __init__(self, names):
        self.names = names


def existing(names):
    return names


def my_files(pattern):
    files = sorted(glob.glob(pattern))
    random.shuffle(existing(files))  # expect: TL215
    return files[dist.get_rank() :: dist.get_world_size()]


def files_of_mine(pattern):
    files = sorted(glob.glob(pattern))
    random.shuffle(Files(files).names)  # expect: TL215
    return files[dist.get_rank() :: dist.get_world_size()]


def files_of_all(pattern, epoch):
    files = sorted(glob.glob(pattern))
    random.Random(epoch).shuffle(existing(files))
    return files[dist.get_rank() :: dist.get_world_size()]


def a_copy(pattern):
    files = sorted(glob.glob(pattern))
    shown = list(files)
    random.shuffle(existing(shown))
    print(shown[:4])
    return files[dist.get_rank() :: dist.get_world_size()]
