"""The options of one rank, received by all."""

import torch.distributed as dist


def sent(options):
    box = [options]
    dist.broadcast_object_list(box, src=0)
    return box[0]


def main():
    options = {"seed": 1 + dist.get_rank()}
    return sent(options)
