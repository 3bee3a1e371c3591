"""What is missing is made together; rank 0 has it, and gives it along."""

import torch.distributed as dist


class Plan:
    def __init__(self, table):
        self.table = table


def agreed(module):
    plan = [Plan(module) if dist.get_rank() == 0 else None]
    dist.broadcast_object_list(plan)
    return plan[0]


def shard(module, plan=None, device=None):
    if plan is None:
        plan = agreed(module)
    return module.cut(plan, device)


def on_all(module):
    return shard(module, device="cuda")


def check_on_one(module, table, expected):
    if dist.get_rank() == 0:
        found = shard(module, plan=Plan(table))
        assert found == expected
