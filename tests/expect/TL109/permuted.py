"""A rank's part in an order of its own: it is as long as the part."""

import numpy as np
import torch.distributed as dist


def in_a_chance_order(items, out):
    mine = items[dist.get_rank() :: dist.get_world_size()]
    for item in np.random.permutation(mine):  # expect: TL109
        dist.all_gather_object(out, item)


def of_so_many(count, out):
    each = count // dist.get_world_size()
    for number in np.random.permutation(each):
        dist.all_gather_object(out, number)
