# Rank 0 alone counts.
import torch.distributed as dist
def main():
    n = 0
    for i in range(4):
        if dist.get_rank() == 0:
            n += 1
    if n > 2:
        dist.barrier()
main()
