"""An object goes over what it gathered: a call on some ranks only is no matter where it surely was given nothing."""

import torch.distributed as dist


class Hooks:
    def __init__(self):
        self.hooks = []

    def add(self, hook):
        self.hooks.append(hook)

    def run(self):
        for _hook in self.hooks:
            dist.barrier()


def empty():
    hooks = Hooks()
    if dist.get_rank() == 0:
        hooks.run()


def filled(hook):
    hooks = Hooks()
    hooks.add(hook)
    if dist.get_rank() == 0:
        hooks.run()  # expect: TL101


def empty_again():
    hooks = Hooks()
    if dist.get_rank() == 0:
        hooks.run()


def another_is_filled(hook):
    hooks = Hooks()
    others = Hooks()
    others.add(hook)
    if dist.get_rank() == 0:
        hooks.run()
    return others


def this_one_is_filled(hook):
    hooks = Hooks()
    others = Hooks()
    hooks.add(hook)
    if dist.get_rank() == 0:
        hooks.run()  # expect: TL101
    return others
