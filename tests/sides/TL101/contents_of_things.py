"""What is in a list, dict or tensor decides: put there by one rank, by all, or by nobody knows whom."""

import os

import torch
import torch.distributed as dist


def set_by_one(path):
    stop = [False]
    if dist.get_rank() == 0:
        stop[0] = os.path.exists(path)
    if stop[0]:
        dist.barrier()  # expect: TL101


def set_by_all(path):
    stop = [False]
    stop[0] = os.path.exists(path)
    if stop[0]:
        dist.barrier()


def set_by_one_and_told(path):
    stop = [False]
    if dist.get_rank() == 0:
        stop[0] = os.path.exists(path)
    dist.broadcast_object_list(stop, src=0)
    if stop[0]:
        dist.barrier()


def another_item_set_by_one(path):
    stop = [False, False]
    if dist.get_rank() == 0:
        stop[1] = os.path.exists(path)
    if stop[0]:
        dist.barrier()


def the_second_item_set_by_one(path):
    stop = [False, False]
    if dist.get_rank() == 0:
        stop[1] = os.path.exists(path)
    if stop[1]:
        dist.barrier()  # expect: TL101


def some_item_set_by_one(path, index):
    stop = [False, False]
    if dist.get_rank() == 0:
        stop[index] = os.path.exists(path)
    if stop[0]:
        dist.barrier()


def written_down():
    first = [dist.get_rank() == 0, True]
    if first[0]:
        dist.barrier()  # expect: TL101


def written_down_beside():
    first = [dist.get_rank() == 0, True]
    if first[1]:
        dist.barrier()


def written_down_from_the_end():
    first = (True, dist.get_rank() == 0)
    if first[-1]:
        dist.barrier()  # expect: TL101


def an_entry_written_down():
    state = {"first": dist.get_rank() == 0, "all": True}
    if state["first"]:
        dist.barrier()  # expect: TL101


def an_entry_beside():
    state = {"first": dist.get_rank() == 0, "all": True}
    if state["all"]:
        dist.barrier()


def an_entry_set_by_one(path):
    state = {"stop": False, "go": True}
    if dist.get_rank() == 0:
        state["stop"] = os.path.exists(path)
    if state["stop"]:
        dist.barrier()  # expect: TL101


def an_entry_beside_the_one_set(path):
    state = {"stop": False, "go": True}
    if dist.get_rank() == 0:
        state["stop"] = os.path.exists(path)
    if state["go"]:
        dist.barrier()


def a_tensor_made_of_the_rank():
    flag = torch.tensor([dist.get_rank() == 0])
    if flag.item():
        dist.barrier()  # expect: TL101


def a_tensor_full_of_the_rank():
    flag = torch.full((1,), dist.get_rank())
    if flag.item():
        dist.barrier()  # expect: TL101


def a_tensor_full_of_one():
    flag = torch.full((1,), 1)
    if flag.item():
        dist.barrier()


def a_tensor_of_ones():
    flag = torch.ones(1)
    if dist.get_rank() == 0:
        flag.fill_(0)
    if flag.item():
        dist.barrier()  # expect: TL101


def a_tensor_that_was_reduced():
    flag = torch.zeros(1)
    if dist.get_rank() == 0:
        flag.fill_(1)
    dist.all_reduce(flag)
    if flag.item():
        dist.barrier()


def a_tensor_filled_behind_the_reduction():
    flag = torch.zeros(1)
    dist.all_reduce(flag)
    if dist.get_rank() == 0:
        flag.fill_(1)
    if flag.item():
        dist.barrier()  # expect: TL101


def a_tensor_filled_by_all():
    flag = torch.zeros(1)
    flag.fill_(1)
    if flag.item():
        dist.barrier()


def a_tensor_given_to_a_stranger(agree):
    flag = torch.zeros(1)
    if dist.get_rank() == 0:
        flag.fill_(1)
    agree(flag)
    if flag.item():
        dist.barrier()


def a_tensor_given_in_a_list(agree):
    flag = torch.zeros(1)
    if dist.get_rank() == 0:
        flag.fill_(1)
    agree([flag])
    if flag.item():
        dist.barrier()


def is_big(value):
    return value > 1


def a_tensor_given_to_who_only_asks():
    flag = torch.zeros(1)
    if dist.get_rank() == 0:
        flag.fill_(1)
    print(is_big(flag))
    if flag.item():
        dist.barrier()  # expect: TL101


def grown_by_one(name):
    names = []
    if dist.get_rank() == 0:
        names.append(name)
    if names:
        dist.barrier()  # expect: TL101


def grown_by_all(name):
    names = []
    names.append(name)
    if names:
        dist.barrier()


def grown_too_late(name):
    names = []
    if names:
        dist.barrier()
    if dist.get_rank() == 0:
        names.append(name)


def grown_in_an_earlier_round(name, rounds):
    names = []
    for _ in range(rounds):
        if names:
            dist.barrier()  # expect: TL101
        if dist.get_rank() == 0:
            names.append(name)


def made_anew_in_each_round(name, rounds):
    for _ in range(rounds):
        names = []
        if names:
            dist.barrier()
        if dist.get_rank() == 0:
            names.append(name)


def set_in_the_other_arm(path):
    stop = [True]
    if dist.get_rank() == 0:
        print("first")
    else:
        stop[0] = os.path.exists(path)
    if stop[0]:
        dist.barrier()  # expect: TL101


def put_in(box, path):
    if dist.get_rank() == 0:
        box[0] = os.path.exists(path)


def asked_in_a_function(box):
    if box[0]:
        dist.barrier()  # expect: TL101


def hands_a_box(path):
    box = [False]
    if dist.get_rank() == 0:
        box[0] = os.path.exists(path)
    asked_in_a_function(box)


def asked_in_another_function(box):
    if box[0]:
        dist.barrier()


def hands_another_box(path):
    box = [False]
    box[0] = os.path.exists(path)
    asked_in_another_function(box)
