# What a loop draws from a list are pairs of a test and of what is called then.
import torch.distributed as dist


def skip():
    pass


for wanted, call in [(dist.get_rank() == 0, dist.barrier), (True, skip)]:
    if wanted:
        call()
