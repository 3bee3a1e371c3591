"""A conditional expression runs the broadcast on one rank only."""

import torch.distributed as dist


def sent(options):
    box = [options]
    dist.broadcast_object_list(box, src=0)  # stuck: 0
    return box[0]


def main():
    options = {"seed": 1}
    options = sent(options) if dist.get_rank() == 0 else options  # expect: TL101
    return options
