# Each arm of a test adds one item.
import torch
import torch.distributed as dist
def main():
    ts = [torch.ones(1)]
    if dist.get_rank() == 0:
        ts.append(torch.ones(1))
    else:
        ts.append(torch.zeros(1))
    for t in ts:
        dist.all_reduce(t)
main()
