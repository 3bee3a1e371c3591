# Two loops that count by rank have as many rounds together on every rank.
import torch.distributed as dist
def main():
    rank = dist.get_rank()
    step = rank
    while step < 3:
        dist.barrier()
        step += 1
    while step > 3 - rank:
        dist.barrier()
        step -= 1
main()
