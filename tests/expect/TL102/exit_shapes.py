"""Where the exit stands: in `else`, `elif`, nested, a conjunction, `match`, `with`, `try`."""

import torch
import torch.distributed as dist


def in_else(rank, tensor):
    if rank == 0:
        print("leader")
    else:
        return
    dist.all_reduce(tensor)  # expect: TL102


def in_elif(rank, tensor, dry_run):
    if dry_run:
        print("nothing to do")
    elif rank != 0:
        return
    dist.all_reduce(tensor)  # expect: TL102


def nested(rank, tensor, verbose):
    if verbose:
        if rank != 0:
            return
    dist.all_reduce(tensor)  # expect: TL102


def conjunction(rank, tensor, single_writer):
    if single_writer and rank != 0:
        return
    dist.all_reduce(tensor)  # expect: TL102


def at_the_end_of_a_long_block(rank, state, path):
    if rank == 0:
        torch.save(state, path)
        print("saved", path)
        return path
    dist.barrier()  # expect: TL102
    return None


def matched(rank, tensor):
    match rank:
        case 0:
            pass
        case _:
            return
    dist.all_reduce(tensor)  # expect: TL102


def under_no_grad(model, batch, rank):
    with torch.no_grad():
        out = model(batch)
        if rank != 0:
            return out
        dist.all_reduce(out)  # expect: TL102
    return out


def in_try(rank, archive):
    try:
        if rank != 0:
            return
        archive.extract()
        dist.barrier()  # expect: TL102
    finally:
        archive.close()


def in_finally_only_for_one(rank, archive):
    try:
        archive.extract()
    finally:
        if rank != 0:
            return
        dist.barrier()  # expect: TL102


def one_finding_for_one_exit(rank, first, second):
    if rank != 0:
        return
    dist.all_reduce(first)  # expect: TL102
    dist.all_reduce(second)
    dist.barrier()


def under_a_uniform_test(rank, tensor, synchronize):
    if rank != 0:
        return
    if synchronize:
        dist.all_reduce(tensor)  # expect: TL102


def in_a_later_loop(rank, tensors):
    if rank != 0:
        return
    for tensor in tensors:
        dist.all_reduce(tensor)  # expect: TL102


def in_a_return_value(rank, tensor):
    if rank != 0:
        return None
    return [dist.all_reduce(tensor), tensor]  # expect: TL102


def some_ranks(tensor):
    if dist.get_rank() % 2:
        return
    dist.all_reduce(tensor)  # expect: TL102


def every_rank_but_the_last(tensor):
    if dist.get_rank() != dist.get_world_size() - 1:
        return
    dist.all_reduce(tensor)  # expect: TL102


def nested_function(rank, tensor):
    def finish():
        if rank != 0:
            return
        dist.all_reduce(tensor)  # expect: TL102

    finish()
