# A generator with a collective in its `finally` is closed early on one rank (by `break`, by `return`), and ends by itself on the others.
import torch.distributed as dist
def batches():
    try:
        for i in range(3):
            yield i
    finally:
        dist.barrier()
def left():
    for b in batches():
        if dist.get_rank() == 0:
            break
def main():
    left()
    for b in batches():
        if dist.get_rank() == 0:
            return
main()
