"""The test is kept in a variable, combined, negated, stored under an unsuspicious name."""

import torch.distributed as dist


def kept(loss):
    should_log = dist.get_rank() == 0
    if should_log:
        dist.all_reduce(loss)  # expect: TL101


def negated(loss):
    quiet = not (dist.get_rank() == 0)
    if not quiet:
        dist.all_reduce(loss)  # expect: TL101


def combined(loss, step):
    first = dist.get_rank() == 0
    print_now = first and step % 10 == 0
    if print_now:
        dist.all_reduce(loss)  # expect: TL101


def as_bool(loss):
    other = bool(dist.get_rank())
    if other:
        dist.all_reduce(loss)  # expect: TL101


def unpacked(loss):
    rank, world_size = dist.get_rank(), dist.get_world_size()
    verbose = world_size > 1 and rank == 0
    if verbose:
        dist.all_reduce(loss)  # expect: TL101


def set_by_a_branch(loss):
    chief = False
    if dist.get_rank() == 0:
        chief = True
    if chief:
        dist.all_reduce(loss)  # expect: TL101


def chosen_by_a_conditional(loss, distributed):
    rank = dist.get_rank() if distributed else 0
    if rank == 0:
        dist.all_reduce(loss)  # expect: TL101


def exists_on_one_rank(loss, folder):
    writer = open(folder / "log.txt", "w") if dist.get_rank() == 0 else None
    if writer is not None:
        dist.all_reduce(loss)  # expect: TL101
        writer.write(str(loss.item()))
