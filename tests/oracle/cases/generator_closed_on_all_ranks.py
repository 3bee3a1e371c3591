# A generator with a collective in its `finally` is closed early on one rank, and runs to its end on the others.
import torch.distributed as dist
def batches():
    try:
        for i in range(3):
            yield i
    finally:
        dist.barrier()
def main():
    for b in batches():
        if dist.get_rank() == 0:
            break
main()
