"""The exit leaves an inner function, an inner loop, a helper: everybody still arrives."""

import torch.distributed as dist


def callback_leaves(rank, steps):
    def on_step(step):
        if rank != 0:
            return
        print(step)

    for step in range(steps):
        on_step(step)
    dist.barrier()


def inner_loop(rank, shards):
    for shard in shards:
        for row in shard:
            if rank != 0:
                break
            print(row)
        dist.barrier()


def rank_log(rank, text):
    if rank != 0:
        return
    print(text)


def through_a_helper(rank, tensor):
    rank_log(rank, "start")
    dist.all_reduce(tensor)
    rank_log(rank, "end")


def lambda_with_a_test(rank, tensor):
    say = lambda text: None if rank else print(text)  # noqa: E731
    say("start")
    dist.all_reduce(tensor)


def local_work_in_a_loop(rank, files):
    for name in files:
        if rank != 0:
            continue
        print(name)
    dist.barrier()


class Dataset:
    def __init__(self, rank, prepare):
        if rank == 0:
            prepare()
        dist.barrier()

    def __getitem__(self, index):
        if index != 0:
            raise IndexError(index)
        return index
