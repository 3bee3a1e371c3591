# Rank 0 alone gives a collective to an ExitStack.
import contextlib
import torch.distributed as dist
def main():
    with contextlib.ExitStack() as stack:
        if dist.get_rank() == 0:
            stack.callback(dist.barrier)
        print("x")
main()
