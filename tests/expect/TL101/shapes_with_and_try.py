"""Context managers and `try` around the guard or inside it."""

import contextlib

import torch
import torch.distributed as dist


def inside_no_grad(model, batch, rank):
    with torch.no_grad():
        score = model(batch).mean()
        if rank == 0:
            dist.all_reduce(score)  # expect: TL101
    return score


def no_grad_inside(model, batch, rank):
    if rank == 0:
        with torch.inference_mode(), contextlib.suppress(KeyError):
            score = model(batch).mean()
            dist.all_reduce(score)  # expect: TL101


def in_try(archive, rank):
    try:
        if rank == 0:
            archive.close()
            dist.barrier()  # expect: TL101
    finally:
        print("closed")


def in_finally(archive, rank):
    try:
        archive.close()
    finally:
        if rank == 0:
            dist.barrier()  # expect: TL101


def try_under_guard(archive, rank):
    if rank == 0:
        try:
            archive.close()
        finally:
            dist.barrier()  # expect: TL101
