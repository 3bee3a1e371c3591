"""Guards in loops, loops under guards, and loops whose own condition is a rank test."""

import torch.distributed as dist


def train_one_epoch(loader, model, optimizer, rank, print_freq):
    for step, (images, targets) in enumerate(loader):
        loss = model(images, targets)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        if step % print_freq == 0 and rank == 0:
            shown = loss.detach()
            dist.all_reduce(shown)  # expect: TL101
            print(step, shown.item())


def loop_under_guard(rank, parameters):
    if rank == 0:
        for parameter in parameters:
            dist.broadcast(parameter.data, 0)  # expect: TL101


def while_a_rank(rank):
    while rank != 0:
        dist.barrier()  # expect: TL101


def while_with_more(rank, queue):
    while rank == 0 and queue:
        dist.broadcast_object_list([queue.pop()], src=0)  # expect: TL101


def for_else(rank, files):
    for name in files:
        print(name)
    else:
        if rank == 0:
            dist.barrier()  # expect: TL101
