# A flag that rank 0 sets in a loop is asked behind it.
import torch.distributed as dist
def main():
    found = False
    for i in range(4):
        if i == 2 and dist.get_rank() == 0:
            found = True
    if found:
        dist.barrier()
main()
