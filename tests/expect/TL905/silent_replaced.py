"""Who counts what others call puts its own in the place of each name, the old ones among them: sovrasov/flops-counter.pytorch."""

import torch.nn.functional as F


def counted(function, collector):
    def wrapped(*args, **options):
        collector(function.__name__)
        return function(*args, **options)

    wrapped.op = function
    return wrapped


def patch(collector):
    F.upsample = counted(F.upsample, collector)
    F.interpolate = counted(F.interpolate, collector)
