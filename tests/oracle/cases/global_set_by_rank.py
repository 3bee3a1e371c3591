# A global that a function sets on rank 0.
import torch.distributed as dist
DONE = False
def mark():
    global DONE
    if dist.get_rank() == 0:
        DONE = True
def main():
    mark()
    if DONE:
        dist.barrier()
main()
