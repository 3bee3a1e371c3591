"""Correct: ranks part in a function by the rank, and only the ranks of one side call it.

Rank 0 lets a library call the function (a line search evaluates it as often as it needs); before each time it wakes the others,
which wait for its word. They call the function themselves.
"""

import torch
import torch.distributed as dist


def search(model, optimizer, batches, rank):
    word = torch.zeros(1)

    def evaluate():
        if rank == 0:
            word.fill_(1)
            dist.broadcast(word, src=0)
        for weights in model.parameters():
            dist.broadcast(weights.data, src=0)
        loss = model(batches)
        dist.all_reduce(loss)
        return loss

    if rank == 0:
        loss = optimizer.step(evaluate)
        word.fill_(0)
        dist.broadcast(word, src=0)
    else:
        while True:
            dist.broadcast(word, src=0)
            if word.item() == 0:
                break
            loss = evaluate()
    return loss


def told(settings, rank):
    if rank != 0:
        dist.barrier()
    return settings


def first_alone(settings):
    if dist.get_rank() == 0:
        told(settings, 0)
    return settings
