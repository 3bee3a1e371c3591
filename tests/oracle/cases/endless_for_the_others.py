# Rank 0 leaves an endless loop, the others never do.
import torch.distributed as dist
def main():
    step = 0
    while True:
        dist.barrier()
        step += 1
        if dist.get_rank() == 0:
            break
main()
