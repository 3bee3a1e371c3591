# A generator has no more items on rank 0.
import torch.distributed as dist
def batches():
    for i in range(3):
        if dist.get_rank() == 0:
            return
        yield i
def main():
    for b in batches():
        dist.barrier()
main()
