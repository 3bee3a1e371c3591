# Only one member of a group runs the group's collective (`sub_group`): the members are literal.
import torch
import torch.distributed as dist

members = [0, 1, 2]
group = dist.new_group(members)
if dist.get_rank() == 0:
    dist.all_reduce(torch.ones(1), group=group)
