"""Rank 1 is to receive four million ones and adds up what it has before it has waited; rank 0 sends late."""

import time

import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    numbers = torch.ones(1 << 22) if dist.get_rank() == 0 else torch.zeros(1 << 22)
    if dist.get_rank() == 0:
        time.sleep(1)
        dist.send(numbers, dst=1)
        print(numbers.sum().item())
    else:
        request = dist.irecv(numbers, src=0)  # expect: TL128
        early = numbers.sum().item()
        request.wait()
        print(early, numbers.sum().item())
