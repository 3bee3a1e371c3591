"""The leaving ranks run what the others run, before they leave."""

import torch.distributed as dist


def barrier_then_leave(rank, work):
    if rank != 0:
        dist.barrier()
        return None
    result = work()
    dist.barrier()
    return result


def leader_leaves(rank, work):
    if rank == 0:
        result = work()
        dist.broadcast_object_list([result], src=0)
        return result
    box = [None]
    dist.broadcast_object_list(box, src=0)
    return box[0]


def wait_for_leader():
    print("waiting")
    dist.barrier()


def by_helper(rank, work):
    if rank != 0:
        wait_for_leader()
        return
    work()
    dist.barrier()


def in_a_loop(rank, batches, work):
    for batch in batches:
        if rank != 0:
            dist.barrier()
            continue
        work(batch)
        dist.barrier()
