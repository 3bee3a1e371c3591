# A flag that one rank sets ends its loop in the next round.
import torch.distributed as dist
def main():
    stop = False
    for i in range(4):
        if stop:
            break
        dist.barrier()
        if dist.get_rank() == 1:
            stop = True
main()
