# A manager hands out the role of the rank.
import contextlib
import torch.distributed as dist
@contextlib.contextmanager
def role():
    yield "main" if dist.get_rank() == 0 else "rest"
with role() as me:
    if me == "main":
        dist.barrier()
