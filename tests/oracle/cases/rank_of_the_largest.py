# All ranks learn of a number; one of them has it.
import torch
import torch.distributed as dist
def main():
    t = torch.tensor([dist.get_rank()])
    dist.all_reduce(t, op=dist.ReduceOp.MAX)
    if t.item() == dist.get_rank():
        dist.barrier()
main()
