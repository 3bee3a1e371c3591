"""Which item of a list or tensor is asked for, on which line, and who was given the thing meanwhile."""

import torch
import torch.distributed as dist


def first_number():
    numbers = torch.tensor([dist.get_rank(), 1])
    if numbers[0] == 0:
        dist.barrier()  # expect: TL101


def second_number():
    numbers = torch.tensor([dist.get_rank(), 1])
    if numbers[1] == 1:
        dist.barrier()


def last_number():
    numbers = torch.tensor([1, dist.get_rank()])
    if numbers[-1] == 0:
        dist.barrier()  # expect: TL101


def number_before_the_last():
    numbers = torch.tensor([1, dist.get_rank()])
    if numbers[-2] == 1:
        dist.barrier()


def entry_of_a_name(name):
    flags = {"first": dist.get_rank() == 0, "all": True}
    if flags[name]:
        dist.barrier()


def entry_of_the_rank():
    flags = {"first": dist.get_rank() == 0, "all": True}
    if flags["first"]:
        dist.barrier()  # expect: TL101


def entry_set_under_a_name(name, path):
    flags = {"first": False}
    if dist.get_rank() == 0:
        flags[name] = True
    if flags["first"]:
        dist.barrier()


def asked_before_the_rounds(rounds):
    done = [False]
    if done[0]:
        dist.barrier()
    for _ in range(rounds):
        if dist.get_rank() == 0:
            done[0] = True


def asked_in_other_rounds(rounds):
    done = [False]
    for _ in range(rounds):
        if done[0]:
            dist.barrier()
    for _ in range(rounds):
        if dist.get_rank() == 0:
            done[0] = True


def asked_within_inner_rounds(rounds):
    done = {"inner": False}
    for _ in range(rounds):
        for _ in range(3):
            if done["inner"]:
                dist.barrier()  # expect: TL101
        if dist.get_rank() == 0:
            done["inner"] = True


def entries_kept(rounds):
    done = {"first": False}
    for _ in range(rounds):
        if done["first"]:
            dist.barrier()  # expect: TL101
        if dist.get_rank() == 0:
            done["first"] = True


def told_between_the_rounds(rounds):
    done = [False]
    for _ in range(rounds):
        if done[0]:
            dist.barrier()
        if dist.get_rank() == 0:
            done[0] = True
        dist.broadcast_object_list(done, src=0)


def given_to_a_stranger_by_keyword(agree):
    flag = torch.zeros(1)
    if dist.get_rank() == 0:
        flag.fill_(1)
    agree(values=flag)
    if flag.item() > 0:
        dist.barrier()


def given_to_print():
    flag = torch.zeros(1)
    if dist.get_rank() == 0:
        flag.fill_(1)
    print(flag)
    if flag.item() > 0:
        dist.barrier()  # expect: TL101


def given_to_make_another():
    flag = torch.zeros(1)
    if dist.get_rank() == 0:
        flag.fill_(1)
    other = torch.zeros_like(flag)
    if flag.item() > 0:
        dist.barrier()  # expect: TL101
    return other


def given_to_a_stranger_in_a_comprehension(agree):
    flag = torch.zeros(1)
    if dist.get_rank() == 0:
        flag.fill_(1)
    agree([flag, *(torch.zeros(1) for _ in range(2))])
    if flag.item() > 0:
        dist.barrier()


def given_to_one_of_many(agreements):
    flag = torch.zeros(1)
    if dist.get_rank() == 0:
        flag.fill_(1)
    agreements["any"](flag)
    if flag.item() > 0:
        dist.barrier()


def copied_into_another():
    flag = torch.zeros(1)
    if dist.get_rank() == 0:
        flag.fill_(1)
    other = torch.zeros(1)
    other.copy_(flag)
    if other.item() > 0:
        dist.barrier()  # expect: TL101


def copied_out_of_another():
    flag = torch.zeros(1)
    other = torch.zeros(1)
    if dist.get_rank() == 0:
        flag.fill_(1)
    flag.copy_(other)
    if flag.item() > 0:
        dist.barrier()


def full_of_zeros_again():
    flag = torch.zeros(1)
    if dist.get_rank() == 0:
        flag.fill_(1)
    flag.zero_()
    if flag.item() > 0:
        dist.barrier()


def filled_by_one_and_gathered():
    flag = torch.zeros(1)
    if dist.get_rank() == 0:
        flag.fill_(1)
    found = [torch.zeros(1) for _ in range(dist.get_world_size())]
    dist.all_gather(found, flag)
    if flag.item() > 0:
        dist.barrier()  # expect: TL101


def set_under_a_test_of_any_rank(limit):
    done = [False]
    if dist.get_rank() > limit:
        done[0] = True
    if done[0]:
        dist.barrier()  # expect: TL101


def set_under_a_test_of_nobody(size, limit):
    done = [False]
    if size > limit:
        done[0] = True
    if done[0]:
        dist.barrier()
