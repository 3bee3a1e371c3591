"""One barrier in two halves: the others wait first, rank 0 comes after its work.

deepspeedai/DeepSpeedExamples @ 448e19153e76 : cifar/cifar10_deepspeed.py:107, :116
pytorch/ignite @ e8c0baa21c09 : examples/contrib/cifar10/main.py:208, :214
"""

import torch.distributed as dist


def get_dataset(rank, root, download):
    if rank != 0:
        dist.barrier()
    dataset = download(root)
    if rank == 0:
        dist.barrier()
    return dataset


def with_get_rank(root, download):
    if dist.get_rank() > 0:
        dist.barrier()
    dataset = download(root)
    if dist.get_rank() == 0:
        dist.barrier()
    return dataset


def with_local_rank(args, load, evaluate=False):
    if args.local_rank not in [-1, 0] and not evaluate:
        dist.barrier()
    features = load(args)
    if args.local_rank == 0 and not evaluate:
        dist.barrier()
    return features


def with_a_flag(load):
    is_main = dist.get_rank() == 0
    if not is_main:
        dist.barrier()
    features = load()
    if is_main:
        dist.barrier()
    return features


class Preparer:
    def __init__(self):
        self.rank = dist.get_rank()

    def wait_for_leader(self):
        if self.rank != 0:
            dist.barrier()

    def release(self):
        if self.rank == 0:
            dist.barrier()

    def prepare(self, work):
        if self.rank != 0:
            dist.barrier()
        work()
        if not self.rank:
            dist.barrier()

    def prepare_by_methods(self, work):
        self.wait_for_leader()
        work()
        self.release()


def cached(args, name, evaluate=False):
    if args.local_rank not in [-1, 0] and not evaluate:
        dist.barrier()
    features = download(name)
    if args.local_rank == 0 and not evaluate:
        dist.barrier()
    return features


def once_around_and_once_for_each(args, names):
    if args.local_rank not in [-1, 0]:
        dist.barrier()
    parts = []
    for name in names:
        parts.append(cached(args, name))
    if args.local_rank == 0:
        dist.barrier()
    return parts
