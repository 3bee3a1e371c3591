"""What is asserted holds: no rank leaves by it, unless it is said which rank it must be."""

import torch.distributed as dist


def checked_on_one_rank(tensor, path=None):
    if dist.get_rank() == 0:
        assert path is not None
        tensor.save(path)
    dist.all_reduce(tensor)


def called_without(tensor):
    checked_on_one_rank(tensor)


def each_checks_its_own(tensor, state):
    if dist.get_rank() == 0:
        assert state is not None
    else:
        assert state is None
    dist.all_reduce(tensor)


def checked_request(tensor, save, wait):
    request = None
    if dist.get_rank() == 0:
        request = save(tensor)
    if not wait:
        assert request is None
    dist.barrier()


def checked_and_guarded(tensor, path=None):
    if dist.get_rank() == 0:
        assert path is not None
        dist.all_reduce(tensor)  # expect: TL101


def places_compared(tensor, members, local_rank):
    assert local_rank == dist.get_rank(members)
    assert dist.get_rank() == tensor.place
    assert members is not None
    dist.all_reduce(tensor)
