"""A job of several GPUs, and what decides whether a load puts its tensors on the first of them."""

import os

import torch
import torch.distributed as dist


def join():
    dist.init_process_group("nccl")


def optimizer_state(optimizer, path):
    optimizer.load_state_dict(torch.load(path, weights_only=True))  # expect: TL602


def optimizer_state_mapped(optimizer, path):
    optimizer.load_state_dict(torch.load(path, map_location="cpu", weights_only=True))


def optimizer_state_mapped_by_position(optimizer, path, device):
    optimizer.load_state_dict(torch.load(path, device, weights_only=True))


def optimizer_state_with_options(optimizer, path, options):
    optimizer.load_state_dict(torch.load(path, **options))


def optimizer_state_of_the_file(optimizer, path):
    # stays in the file until it is copied
    optimizer.load_state_dict(torch.load(path, mmap=True))


def weights_alone(model, path):
    model.load_state_dict(torch.load(path, weights_only=True))


def weights_out_of_one_key(model, path):
    found = torch.load(path, weights_only=True)
    model.load_state_dict(found["model"])


def weights_and_more(model, path):
    found = torch.load(path, weights_only=True)  # expect: TL602
    model.load_state_dict(found["model"])
    return found["epoch"]


def nothing_restored(path):
    found = torch.load(path, weights_only=True)
    return found["loss"], found["epoch"]


def by_another_optimizer_name(optim_d, path):
    optim_d.load_state_dict(torch.load(path, weights_only=True))  # expect: TL602


def by_a_scheduler(schedule, path):
    schedule.load_state_dict(torch.load(path, weights_only=True))


def made_here(model, path):
    updates = torch.optim.SGD(model.parameters(), lr=0.1)
    updates.load_state_dict(torch.load(path, weights_only=True))  # expect: TL602
    return updates


def by_one_rank(optimizer, path, rank):
    if rank == 0:
        optimizer.load_state_dict(torch.load(path, weights_only=True))


def by_the_main_one(optimizer, path, is_main):
    if is_main:
        optimizer.load_state_dict(torch.load(path, weights_only=True))


def by_all_where_there_is_a_file(optimizer, path):
    if os.path.exists(path):
        optimizer.load_state_dict(torch.load(path, weights_only=True))  # expect: TL602


def each_its_own(optimizer, rank):
    optimizer.load_state_dict(torch.load(f"optimizer-{rank}.pt", weights_only=True))


def each_its_own_by_a_name(optimizer, folder):
    path = os.path.join(folder, "rank" + os.environ["RANK"] + ".pt")
    optimizer.load_state_dict(torch.load(path, weights_only=True))


def each_its_own_by_format(optimizer, local_rank):
    path = "optimizer-{}.pt".format(local_rank)
    optimizer.load_state_dict(torch.load(path, weights_only=True))


def all_the_same_by_format(optimizer, epoch):
    path = "optimizer-{}.pt".format(epoch)
    optimizer.load_state_dict(torch.load(path, weights_only=True))  # expect: TL602


def mapped_in_the_other_arm(optimizer, path, gpu):
    if gpu is None:
        state = torch.load(path, weights_only=True)
    else:
        state = torch.load(path, map_location=f"cuda:{gpu}", weights_only=True)
    optimizer.load_state_dict(state)


def another_file_in_the_other_arm(optimizer, path, other, gpu):
    if gpu is None:
        state = torch.load(path, weights_only=True)  # expect: TL602
    else:
        state = torch.load(other, map_location=f"cuda:{gpu}", weights_only=True)
    optimizer.load_state_dict(state)
