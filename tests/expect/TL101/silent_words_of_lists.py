"""What a loop hands out is written out, or put into its list, where one can see it: the mode that communicates is not there."""

import torch.distributed as dist


def load(rank, path, split="train"):
    if rank != 0 and split == "train":
        dist.barrier()
    data = open(path + split).read()
    if rank == 0 and split == "train":
        dist.barrier()
    return data


def evaluate(rank, paths):
    wanted = []
    for path in paths:
        wanted.append(("dev", path))
    if len(paths) > 1:
        for path in paths:
            wanted.append(("test", path))
    for split, path in wanted:
        print(load(rank, path, split=split))


def evaluate_written_out(rank, path):
    for split in ("dev", "test"):
        print(load(rank, path, split))


def main(paths, train):
    rank = dist.get_rank()
    train(load(rank, paths[0]))
    if rank == 0:
        evaluate(rank, paths)
        evaluate_written_out(rank, paths[0])


def load_by_mistake(args, split):
    if args.local_rank != 0 and evaluate == "train":  # a function is no word: this never holds
        dist.barrier()
    data = open(args.path + split).read()
    if args.local_rank == 0 and not evaluate:
        dist.barrier()
    return data
