"""Loops whose number of rounds is counted: by names, by what is in a list, by numbers that are written down."""

import torch.distributed as dist


def as_often_as_the_rank():
    left = dist.get_rank()
    while left > 0:
        dist.barrier()  # expect: TL101
        left -= 1


def three_times():
    left = 3
    while left > 0:
        dist.barrier()
        left -= 1


def three_times_on_the_first():
    left = 3 if dist.get_rank() == 0 else 2
    while left:
        dist.barrier()  # expect: TL101
        left -= 1


def two_names_that_meet():
    low, high = dist.get_rank(), dist.get_rank() + 2
    while low < high:
        dist.barrier()
        low += 1


def by_what_is_unknown(start):
    left = start()
    while left > 0:
        dist.barrier()
        left -= 1


def until_the_same_list_is_empty():
    waiting = ["a", "b"]
    while waiting:
        waiting.pop()
        dist.barrier()


def until_the_length_is_zero():
    waiting = list(range(dist.get_rank()))
    while len(waiting) > 0:
        waiting.pop()
        dist.barrier()  # expect: TL101


def taken_only_sometimes(ready):
    waiting = list(range(dist.get_rank()))
    while len(waiting) > 0:
        if ready():
            waiting.pop()
        dist.barrier()


def counted_and_not_taken(seen):
    waiting = list(range(dist.get_rank()))
    while len(waiting) > 0:
        waiting.count(seen)
        dist.barrier()  # expect: TL101


def taken_elsewhere(take):
    waiting = list(range(dist.get_rank()))
    waiting.pop()
    while len(waiting) > 0:
        take()
        dist.barrier()


def only_in_the_first_round():
    for number in range(3):
        if number == 0 and dist.get_rank() == 0:
            dist.barrier()  # expect: TL101


def in_one_round_each():
    for number in range(dist.get_world_size()):
        if number == dist.get_rank():
            print("my turn")
        dist.barrier()


def told_the_round(number):
    if number == 1 and dist.get_rank() == 0:
        dist.barrier()  # expect: TL101


def rounds_that_are_told():
    for number in range(3):
        told_the_round(number)


def told_something_else(number, flag):
    if flag:
        dist.barrier()
    return number


def rounds_that_are_told_something_else(flag):
    for number in range(3):
        told_something_else(number, flag)


def in_the_arm_of_the_first():
    if dist.get_rank() == 0:
        for _ in range(3):
            dist.barrier()
    else:
        for _ in range(3):
            dist.barrier()


def more_in_the_arm_of_the_first():
    if dist.get_rank() == 0:
        for _ in range(3):
            dist.barrier()  # expect: TL101
    else:
        for _ in range(2):
            dist.barrier()


def as_many_in_both_arms(items):
    if dist.get_rank() == 0:
        for item in items:
            dist.all_reduce(item)
    else:
        for item in items:
            dist.all_reduce(item)


def as_many_names_in_both_arms():
    if dist.get_rank() == 0:
        for _ in ("a", "b"):
            dist.barrier()
    else:
        for _ in ("c", "d"):
            dist.barrier()


def left_early_in_one_arm(items, bad):
    if dist.get_rank() == 0:
        for item in items:
            if bad(item):
                break
            dist.barrier()
    else:
        for _ in items:
            dist.barrier()


def by_counting_in_both_arms():
    left = 4
    if dist.get_rank() == 0:
        while left > 0:
            dist.barrier()
            left -= 1
    else:
        while left > 0:
            dist.barrier()
            left -= 1


def left_behind():
    count = 0
    while count < dist.get_rank():
        count += 1
    if count > 0:
        dist.barrier()  # expect: TL101


def left_behind_alike():
    count = 0
    while count < 3:
        count += 1
    if count > 0:
        dist.barrier()
