# A generator that is left early never comes to its last collective.
import torch.distributed as dist
def batches():
    for i in range(3):
        yield i
    dist.barrier()
def main():
    for b in batches():
        if dist.get_rank() == 0:
            break
main()
