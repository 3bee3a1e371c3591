"""The mode that communicates is one of those that the loop hands out, or may be."""

import torch.distributed as dist


def load(path, split):
    if split == "train":
        dist.barrier()
    return open(path + split).read()


def written_out(path):
    if dist.get_rank() == 0:
        for split in ("train", "test"):
            print(load(path, split))  # expect: TL101


def put_in(path, more):
    wanted = []
    wanted.append("dev")
    wanted.extend(more)
    if dist.get_rank() == 0:
        for split in wanted:
            print(load(path, split))  # expect: TL101
