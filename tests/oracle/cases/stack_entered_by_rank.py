# Rank 0 alone does not enter a manager that communicates.
import contextlib
import torch.distributed as dist
@contextlib.contextmanager
def synced():
    dist.barrier()
    yield
    dist.barrier()
def main():
    with contextlib.ExitStack() as stack:
        if dist.get_rank() != 0:
            stack.enter_context(synced())
        print("x")
main()
