# A generator that communicates for each item; rank 0 leaves the loop early.
import torch.distributed as dist

def batches():
    for i in range(3):
        dist.barrier()
        yield i

def main():
    for b in batches():
        if dist.get_rank() == 0 and b == 1:
            break

main()
