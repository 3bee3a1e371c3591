# The members of a group are a range.
import torch
import torch.distributed as dist

def main():
    ranks = list(range(2))
    g = dist.new_group(ranks=ranks)
    if dist.get_rank() == 0:
        dist.all_reduce(torch.ones(1), group=g)

main()
