"""Two barriers are begun by all; odd ranks wait for one of them, even ranks for the other. With gloo nobody is left waiting."""

import torch.distributed as dist


def main():
    rank, world_size = dist.get_rank(), dist.get_world_size()
    groups = [dist.new_group(list(range(start, world_size, 4))) for start in range(min(4, world_size))]
    work = dist.barrier(async_op=True)
    other = dist.barrier(group=groups[rank % 4], async_op=True)
    if rank % 2:
        work.wait()
    else:
        other.wait()
