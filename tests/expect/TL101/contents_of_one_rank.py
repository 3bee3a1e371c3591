"""What rank 0 alone put into a list, a dict or a tensor decides, and nobody told the others."""

import os

import torch
import torch.distributed as dist


def an_item(path):
    stop = [False]
    if dist.get_rank() == 0:
        stop[0] = os.path.exists(path)
    if stop[0]:
        dist.barrier()  # expect: TL101


def a_number_of_a_tensor(path):
    flag = torch.zeros(1)
    if dist.get_rank() == 0:
        flag[0] = float(os.path.exists(path))
    found = flag.item() > 0
    if found:
        dist.barrier()  # expect: TL101


def filled_and_moved():
    flag = torch.zeros(1, device="cuda")
    if dist.get_rank() == 0:
        flag.fill_(1)
    if flag.cpu().any():
        dist.barrier()  # expect: TL101


def made_of_the_rank():
    flag = torch.tensor([dist.get_rank() == 0]).cuda()
    if flag.any():
        dist.barrier()  # expect: TL101


def a_list_that_grew(files):
    missing = []
    if dist.get_rank() == 0:
        missing.append(files)
    if missing:
        dist.barrier()  # expect: TL101
    print("missing", missing)
    if len(missing) > 0:
        dist.barrier()  # expect: TL101


def an_entry(path):
    state = {"stop": False, "step": 0}
    if dist.get_rank() == 0:
        state["stop"] = os.path.exists(path)
    if state["stop"]:
        dist.barrier()  # expect: TL101


def filled_in_an_earlier_round(rounds):
    flag = torch.zeros(1)
    for _ in range(rounds):
        if flag.item():
            dist.barrier()  # expect: TL101
        if dist.get_rank() == 0:
            flag.fill_(1)


def obey(answer):
    if answer[0]:
        dist.barrier()  # expect: TL101


def handed_on(path):
    answer = [None]
    if dist.get_rank() == 0:
        answer[0] = path
    obey(answer)


class Watcher:
    def __init__(self):
        self.stop = False

    def look(self, path):
        if dist.get_rank() == 0:
            self.stop = os.path.exists(path)

    def act(self):
        if self.stop:
            dist.barrier()  # expect: TL101
