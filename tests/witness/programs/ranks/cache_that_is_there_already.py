"""Who finds the cache does not wait for it, and the rank that has just made it waits for all."""

import os
import time

import torch.distributed as dist


def build(path):
    with open(path, "w") as file:
        file.write("cached")


def cached(path):
    if not os.path.exists(path):
        if dist.get_rank() == 0:
            build(path)
        dist.barrier()  # expect: TL103  # stuck: 0
    with open(path) as file:
        return file.read()


def main():
    time.sleep(0.5 * dist.get_rank())  # ranks are not equally fast
    return cached("cache.txt")
