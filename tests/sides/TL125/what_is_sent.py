"""A group of NCCL, and where the tensor that is sent was made."""

import torch
import torch.distributed as dist


def join(number):
    torch.cuda.set_device(number)
    dist.init_process_group("nccl")


def of_the_host():
    total = torch.zeros(1)
    dist.all_reduce(total)  # expect: TL125
    return total


def of_the_device():
    total = torch.zeros(1, device="cuda")
    dist.all_reduce(total)
    return total


def of_a_setting(config):
    total = torch.zeros(1, device=config.device)
    dist.all_reduce(total)
    return total


def with_options(options):
    total = torch.zeros(1, **options)
    dist.all_reduce(total)
    return total


def of_a_number():
    total = torch.tensor(1.0)
    dist.all_reduce(total)  # expect: TL125
    return total


def of_numbers(losses):
    total = torch.tensor([0.5, 1.5])
    dist.all_reduce(total)  # expect: TL125
    return total, losses


def moved():
    total = torch.zeros(1).cuda()
    dist.all_reduce(total)
    return total


def under_a_device():
    with torch.device("cuda"):
        total = torch.zeros(1)
    dist.all_reduce(total)
    return total


def under_autocast():
    with torch.autocast("cuda"):
        total = torch.zeros(1)
    dist.all_reduce(total)  # expect: TL125
    return total


def behind_another_block():
    with torch.device("cuda"):
        torch.zeros(2)
    total = torch.zeros(1)
    dist.all_reduce(total)  # expect: TL125
    return total


def by_name():
    total = torch.zeros(1)
    dist.all_reduce(tensor=total)  # expect: TL125
    return total


def one_or_the_other(fast):
    total = torch.zeros(1, device="cuda") if fast else torch.zeros(1)
    dist.all_reduce(total)
    return total


def of_a_caller(total):
    dist.all_reduce(total)
    return total


def meets():
    dist.barrier()
