"""Stairs: each rank waits for those before it, works, and waits for those after it. All wait equally often."""

import os

import torch.distributed as dist


def rank_of():
    return dist.get_rank() if dist.is_initialized() else 0


def rising(work):
    for _ in range(dist.get_rank()):
        dist.barrier()
    work()
    for _ in range(dist.get_world_size() - dist.get_rank() - 1):
        dist.barrier()


def falling(work):
    for _ in range(dist.get_world_size() - rank_of()):
        dist.barrier()
    work()
    for _ in range(rank_of()):
        dist.barrier()


def many_times(work, rank, world, times):
    for _ in range(times):
        for _ in range(rank):
            dist.barrier()
        work()
        for _ in range(world - rank):
            dist.barrier()


def counted(work):
    [dist.barrier() for _ in range(int(os.environ["RANK"]))]
    work()
    for _ in range(int(os.environ["WORLD_SIZE"]) - int(os.environ["RANK"])):
        dist.barrier()


def wait_for(rounds):
    for _ in range(rounds):
        dist.barrier()


def handed_over(work):
    wait_for(rank_of())
    work()
    wait_for(dist.get_world_size() - rank_of())


def up():
    for _ in range(rank_of()):
        dist.barrier()


class Turn:
    def __enter__(self):
        up()

    def __exit__(self, *_):
        self.down()

    def down(self):
        left = dist.get_world_size() - rank_of() - 1
        for _ in range(left):
            dist.barrier()


class Taken:
    def before(self):
        up()

    def after(self):
        for _ in range(dist.get_world_size() - rank_of()):
            dist.barrier()


def in_turns(work, turn: Taken):
    turn.before()
    work()
    turn.after()
    up()
    wait_for(dist.get_world_size() - rank_of())


def padded(items, step, rounds, zero):
    part = items[dist.get_rank() :: dist.get_world_size()]
    for item in part:
        dist.all_reduce(step(item))
    idle(rounds - len(part), zero)


def idle(rounds, zero):
    for _ in range(rounds):
        dist.all_reduce(zero)
