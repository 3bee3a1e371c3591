"""What rank 0 put into a list, a dict or a tensor was sent to the others, or nobody knows whether it was."""

import os

import torch
import torch.distributed as dist
from somewhere import tell


def sent(path):
    stop = [False]
    if dist.get_rank() == 0:
        stop[0] = os.path.exists(path)
    dist.broadcast_object_list(stop, src=0)
    if stop[0]:
        dist.barrier()


def sent_as_a_tensor(path):
    flag = torch.zeros(1).cuda()
    if dist.get_rank() == 0:
        flag[0] = float(os.path.exists(path))
    dist.broadcast(flag, src=0)
    if flag.item() > 0:
        dist.barrier()


def sent_before_each_look(rounds):
    flag = torch.zeros(1)
    for _ in range(rounds):
        if flag.item():
            dist.barrier()
        if dist.get_rank() == 0:
            flag.fill_(1)
        dist.all_reduce(flag)


def summed_up(tensor):
    dist.all_reduce(tensor)
    tensor = tensor / dist.get_world_size()
    return tensor


def by_a_helper():
    flag = torch.zeros(1)
    if dist.get_rank() == 0:
        flag += 1
    flag = summed_up(flag)
    if flag > 0:
        dist.barrier()


def total(number):
    number = torch.tensor(float(number))
    dist.all_reduce(number)
    return number.item()


def a_number():
    if total(dist.get_rank()):
        dist.barrier()


def by_somebody_unknown(path):
    stop = [False]
    if dist.get_rank() == 0:
        stop[0] = os.path.exists(path)
    tell(stop)
    if stop[0]:
        dist.barrier()


def another_entry(path):
    state = {"seen": False, "go": True}
    if dist.get_rank() == 0:
        state["seen"] = os.path.exists(path)
    if state["go"]:
        dist.barrier()


def nobody_else_is_asked(path):
    found = []
    if dist.get_rank() == 0:
        found.append(path)
    if found:
        print(found)
    dist.barrier()


def made_anew_in_each_round(rounds):
    for _ in range(rounds):
        flag = torch.zeros(1)
        if flag.item():
            dist.barrier()
        if dist.get_rank() == 0:
            flag.fill_(1)
        print(flag)


def filled_on_all(path):
    flag = torch.zeros(1)
    if dist.get_rank() == 0:
        flag.fill_(2)
    flag.fill_(1)
    if flag.item():
        dist.barrier()
