"""Tests that name a rank and yet have one value on every rank."""

import os

import torch.distributed as dist

LOCAL_RANK = int(os.getenv("LOCAL_RANK", -1))


def launched(rank):
    if rank != -1:
        dist.barrier()


def launched_by_torchrun(args):
    if args.local_rank != -1:
        dist.barrier()


def launched_or_not():
    if LOCAL_RANK == -1:
        return
    dist.barrier()


def rank_known(rank=None):
    if rank is not None:
        dist.barrier()


def environment_is_set():
    if "RANK" in os.environ:
        dist.barrier()


def environment_has_both():
    if os.environ.get("RANK") is not None and "WORLD_SIZE" in os.environ:
        dist.barrier()


def initialized(tensor):
    if dist.is_available() and dist.is_initialized():
        dist.all_reduce(tensor)


def several_processes(tensor):
    if dist.get_world_size() > 1:
        dist.all_reduce(tensor)


def distributed_flag(args, tensor):
    args.distributed = int(os.environ.get("WORLD_SIZE", 1)) > 1
    if args.distributed:
        dist.all_reduce(tensor)


def backend(tensor):
    if dist.get_backend() == "nccl":
        dist.all_reduce(tensor)
    else:
        print("gloo is slow")
        dist.all_reduce(tensor.cpu())


def launched_only_over_gpus(rank, use_cuda, tensor):
    if use_cuda and rank >= 0:
        dist.all_reduce(tensor)


def tpu_or_not(use_xla, tensor):
    if use_xla:
        import torch_xla.core.xla_model as xm

        xm.all_reduce("sum", [tensor])
    elif dist.is_initialized():
        dist.all_reduce(tensor)


def always_true(rank):
    if rank >= 0:
        dist.barrier()


def both_sides_true(rank):
    if rank == 0 or rank > 0:
        dist.barrier()
