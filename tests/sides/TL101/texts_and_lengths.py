"""Conditions on the rank by methods of texts, by lengths of lists, and by small functions of numbers."""

import torch.distributed as dist

LEADERS = [0, 1]


def place_among_leaders():
    leaders = [0, 2]
    if dist.get_rank() in leaders and leaders.index(dist.get_rank()) == 1:
        dist.barrier()  # expect: TL101


def place_among_all():
    leaders = [0, 2]
    if leaders.index(2) == 1:
        dist.barrier()


def stripped():
    role = "main " if dist.get_rank() == 0 else "work"
    if role.strip() == "main":
        dist.barrier()  # expect: TL101


def stripped_alike():
    role = "main " if dist.get_rank() == 0 else "main"
    if role.strip() == "main":
        dist.barrier()


def stripped_on_the_other_side():
    role = " main" if dist.get_rank() == 0 else "main"
    if role.rstrip() == "main":
        dist.barrier()  # expect: TL101


def fewer_than_the_leaders():
    if dist.get_rank() < len(LEADERS):
        dist.barrier()  # expect: TL101


def fewer_than_a_range():
    if dist.get_rank() < len(range(2)):
        dist.barrier()  # expect: TL101


def fewer_than_a_part():
    leaders = [0, 1, 2]
    if dist.get_rank() < len(leaders[1:]):
        dist.barrier()  # expect: TL101


def fewer_than_some_part(count):
    leaders = [0, 1, 2]
    if dist.get_rank() < len(leaders[:count]):
        dist.barrier()  # expect: TL101


def leads(rank, leaders):
    return rank < len(leaders)


def fewer_than_told():
    if leads(dist.get_rank(), [0]):
        dist.barrier()  # expect: TL101


def the_square():
    if pow(dist.get_rank(), 2) == 1:
        dist.barrier()  # expect: TL101


def the_square_is_never_negative():
    if pow(dist.get_rank(), 2) < 0:
        dist.barrier()


def the_rest():
    if divmod(dist.get_rank(), 2)[1] == 0:
        dist.barrier()  # expect: TL101


def the_greatest():
    if max(dist.get_rank(), 1) == 1:
        dist.barrier()  # expect: TL101


def the_greatest_is_never_zero():
    if max(dist.get_rank(), 1) == 0:
        dist.barrier()


def any_of_no_numbers():
    if any(number == dist.get_rank() for number in range(4) if number > 7):
        dist.barrier()


def any_of_the_last_numbers():
    if any(number == dist.get_rank() for number in range(4) if number > 1):
        dist.barrier()  # expect: TL101


def all_of_a_pair():
    if all(number != dist.get_rank() for number in (1, 2)):
        dist.barrier()  # expect: TL101


def none_of_the_names(names):
    if any([]) and dist.get_rank() == 0:
        dist.barrier()
    if any(names):
        dist.barrier()
