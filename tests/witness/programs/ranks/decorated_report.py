"""A decorator lets one rank in, and the function that it decorates reduces."""

import functools

import torch
import torch.distributed as dist


def on_main(function):
    @functools.wraps(function)
    def wrapper(*arguments, **keywords):
        if dist.get_rank() == 0:
            return function(*arguments, **keywords)
        return None

    return wrapper


@on_main
def report(loss):
    dist.all_reduce(loss)  # expect: TL101  # stuck: 0
    print(loss.item())


def main():
    report(torch.tensor([1.0]))
    return dist.get_world_size()
