"""A callee communicates for a keyword that reaches it through `**kwargs`."""

import torch.distributed as dist


def load(path, **kwargs):
    weights = path.read_bytes()
    if kwargs.get("sync", False):
        dist.barrier()
    return weights


def load_any(path, **options):
    return load(path, **options)


def export(path):
    if dist.get_rank() == 0:
        print(load(path, sync=True))  # expect: TL101


def export_through(path):
    if dist.get_rank() == 0:
        print(load_any(path, sync=True))  # expect: TL101


def by_default(path, **settings):
    settings.setdefault("sync", True)
    return load(path, **settings)
