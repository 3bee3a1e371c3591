# Rank 0 alone draws the first item of a generator that communicates.
import torch.distributed as dist

def batches():
    while True:
        dist.barrier()
        yield 1

def main():
    it = batches()
    if dist.get_rank() == 0:
        next(it)

main()
