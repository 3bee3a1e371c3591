"""A decorator of ignite lets rank 0 in, the others have a barrier of their own."""

import ignite.distributed as idist
import torch.distributed as dist


@idist.one_rank_only()
def first():
    dist.barrier()


first()
if idist.get_rank() != 0:
    dist.barrier()
