"""Only the members of a group communicate in it; the group itself is made by all.

NVIDIA/apex @ 3ccdfaa39cd7 : apex/contrib/optimizers/distributed_fused_adam.py:268-271
"""

import torch.distributed as dist


class ShardedOptimizer:
    def __init__(self, ranks_per_group):
        rank = dist.get_rank()
        self.group = None
        for start in range(0, dist.get_world_size(), ranks_per_group):
            ranks = list(range(start, start + ranks_per_group))
            group = dist.new_group(ranks=ranks)
            if rank in ranks:
                self.group = group
                self.ranks = ranks
                dist.all_reduce(self.probe, group=group)

    def step(self, flat_grads):
        dist.reduce_scatter_tensor(self.shard, flat_grads, group=self.group)


def first_half(tensor):
    members = list(range(dist.get_world_size() // 2))
    half = dist.new_group(members)
    if dist.get_rank() in members:
        dist.all_reduce(tensor, group=half)
        dist.barrier(group=half)


def pair_with_literal_ranks(tensor, rank):
    pair = dist.new_group([0, 1])
    if rank < 2:
        dist.broadcast(tensor, src=0, group=pair)


def member_by_group_rank(tensor, group):
    if dist.get_rank(group) >= 0:
        dist.all_reduce(tensor, group=group)
