"""Collectives in a group of NCCL: on what was made on the host, moved, or of a group of its own."""

import torch
import torch.distributed as dist


def setup(rank):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl")


def made_on_the_host(value):
    total = torch.tensor([value, 1.0])
    dist.all_reduce(total)  # expect: TL125


def made_of_numbers():
    total = torch.tensor([0.0, 1.0])
    dist.all_reduce(total)  # expect: TL125


def made_of_zeros():
    total = torch.zeros(3)
    dist.all_reduce(total)  # expect: TL125


def made_on_a_device(rank):
    total = torch.zeros(3, device=rank)
    dist.all_reduce(total)


def made_with_settings(settings):
    total = torch.zeros(3, **settings)
    dist.all_reduce(total)


def moved():
    total = torch.zeros(3).cuda()
    dist.all_reduce(total)


def made_of_another(other):
    total = torch.tensor(other)
    dist.all_reduce(total)


def like_another(other):
    total = torch.zeros_like(other)
    dist.all_reduce(total)


def under_a_device(where):
    with torch.device(where):
        total = torch.zeros(3)
    dist.all_reduce(total)


def under_something(lock):
    with lock:
        total = torch.zeros(3)
    dist.all_reduce(total)  # expect: TL125


def by_keyword():
    dist.all_reduce(tensor=torch.zeros(3))  # expect: TL125


def in_a_group_of_its_own(hosts):
    dist.all_reduce(torch.zeros(3), group=hosts)


def in_the_group_of_all():
    dist.all_reduce(torch.zeros(3), group=None)  # expect: TL125


def in_a_group_by_position(hosts):
    dist.all_reduce(torch.zeros(3), dist.ReduceOp.SUM, hosts)


def broadcast():
    dist.broadcast(torch.zeros(3), src=0)  # expect: TL125


def gathered(part):
    parts = [torch.zeros(3), torch.zeros(3)]
    dist.all_gather(parts, part)


def monitored():
    dist.monitored_barrier()  # expect: TL125


def monitored_by_a_group(hosts):
    dist.monitored_barrier(hosts)


def monitored_if_asked():
    if dist.get_backend() == "gloo":
        dist.monitored_barrier()


def under_another_test(wanted):
    if wanted:
        dist.all_reduce(torch.zeros(3))  # expect: TL125


def under_a_test_for_the_device(device):
    if device == "cpu":
        dist.all_reduce(torch.zeros(3))


def of_a_caller(total):
    dist.all_reduce(total)


def of_two(other, far):
    total = torch.zeros(3) if far else other
    dist.all_reduce(total)


def of_two_on_the_host(far):
    total = torch.zeros(3) if far else torch.ones(3)
    dist.all_reduce(total)  # expect: TL125
