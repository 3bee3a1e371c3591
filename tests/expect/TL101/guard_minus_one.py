"""`-1` means "not distributed": membership in {-1, 0} is the main process all the same."""

import os

import torch.distributed as dist

RANK = int(os.getenv("RANK", -1))
LOCAL_RANK = int(os.getenv("LOCAL_RANK", -1))


def checkpoint(ckpt):
    if RANK in {-1, 0}:
        ckpt.write()
        dist.barrier()  # expect: TL101


def plot(labels):
    if LOCAL_RANK in (-1, 0):
        labels.plot()
        dist.barrier()  # expect: TL101


def evaluate(args, model):
    if args.local_rank in [-1, 0]:
        model.eval()
        dist.barrier()  # expect: TL101


def load_features(args, features):
    if args.local_rank not in [-1, 0]:
        dist.barrier()  # expect: TL101
    return features.load()
