"""Files with the number of a round: each rank has rounds of its own, or all have the same."""

import torch.distributed as dist


def cut(folder, rank, world, count):
    for number in range(rank, count, world):
        with open(f"{folder}/part{number}.txt", "w") as out:
            out.write("x")


def all_of_them(folder, count):
    for number in range(count):
        with open(f"{folder}/part{number}.txt", "w") as out:  # expect: TL112
            out.write("x")


def named(folder, rank):
    for name in ("a", "b"):
        with open(f"{folder}/{name}.log", "w") as out:  # expect: TL112
            out.write("x")
    for name in (f"a{rank}", f"b{rank}"):
        with open(f"{folder}/{name}.log", "w") as out:
            out.write("x")
    for name, mode in [("c", "w"), ("d", "w")]:
        with open(f"{folder}/{name}.log", mode) as out:
            out.write("x")
    for name, number in [("e", rank), ("f", rank)]:
        with open(f"{folder}/{name}{number}.log", "w") as out:
            out.write("x")


def main(folder):
    dist.init_process_group("nccl")
    cut(folder, dist.get_rank(), dist.get_world_size(), 10)
    all_of_them(folder, 10)
    named(folder, dist.get_rank())
