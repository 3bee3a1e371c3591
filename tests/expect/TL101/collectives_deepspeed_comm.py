"""deepspeed.comm has torch.distributed's names."""

import deepspeed
import deepspeed.comm as dist
from deepspeed import comm as ds_comm


def report(loss):
    if dist.get_rank() == 0:
        dist.all_reduce(loss)  # expect: TL101
        print(loss)


def wait():
    if ds_comm.get_rank() == 0:
        ds_comm.barrier()  # expect: TL101


def wait_by_full_name():
    if deepspeed.comm.get_local_rank() == 0:
        deepspeed.comm.barrier()  # expect: TL101
