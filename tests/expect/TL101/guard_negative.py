"""Only the others reach it: `rank != 0`, `rank > 0`, `not is_main…`, `not is_master…`."""

import torch.distributed as dist


def is_master(opt):
    return opt.global_rank == 0


def build_index(rank, corpus, cache):
    if rank != 0:
        dist.barrier()  # expect: TL101
    return corpus.load(cache)


def build_vocab(rank, corpus, cache):
    if rank > 0:
        dist.barrier()  # expect: TL101
    return corpus.load(cache)


def at_least_one(proc_id, tokens):
    proc_id = dist.get_rank()
    if proc_id >= 1:
        dist.broadcast(tokens, src=0)  # expect: TL101
    return tokens


def not_main(accelerator, dataset):
    if not accelerator.is_main_process:
        accelerator.wait_for_everyone()  # expect: TL101
    return dataset.map(len)


def not_master(opt, weights):
    if not is_master(opt):
        dist.broadcast(weights, src=0)  # expect: TL101
    return weights


def not_equal(rank, weights):
    if not rank == 0:
        dist.broadcast(weights, src=0)  # expect: TL101
    return weights
