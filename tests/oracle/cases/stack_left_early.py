# All ranks give a collective to an ExitStack, and rank 0 leaves early.
import contextlib
import torch.distributed as dist
def main():
    with contextlib.ExitStack() as stack:
        stack.callback(dist.barrier)
        if dist.get_rank() == 0:
            return
        print("x")
main()
