# Rank 0 has one tensor more to reduce.
import torch
import torch.distributed as dist
def reduce_all(ts):
    for t in ts:
        dist.all_reduce(t)
def main():
    ts = [torch.ones(1), torch.ones(1)]
    if dist.get_rank() == 0:
        ts.append(torch.ones(1))
    reduce_all(ts)
main()
