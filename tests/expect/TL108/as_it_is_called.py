"""What a call comes to depends on what it passes: the collective that is nearest in the callee does not run here."""

import torch.distributed as dist

from settings import options


class Replicated:
    def __init__(self, module):
        self.module = module

    def share(self):
        for parameter in self.module.parameters():
            dist.broadcast(parameter.data, 0)


def gather_groups():
    return [dist.new_group([first, first + 1]) for first in range(0, dist.get_world_size(), 2)]


def build(provider, replicate=True):
    groups = gather_groups() if options.gather_apart else None
    model = provider(groups)
    if replicate:
        model = Replicated(model)
        model.share()
    return model


def with_idle_ranks(provider, first_idle):
    if dist.get_rank() < first_idle:
        model = build(provider, replicate=False)  # expect: TL108
    else:
        model = None
    dist.barrier()
    return model
