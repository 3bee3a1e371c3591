# An error of one rank, raised in a function, ends its loop.
import torch.distributed as dist
class Stop(Exception):
    pass
def work(step):
    if dist.get_rank() == 0 and step == 1:
        raise Stop()
    dist.barrier()
def main():
    for step in range(3):
        try:
            work(step)
        except Stop:
            break
main()
