"""Rank 0 has more hooks than the others, and those do not communicate, or all ranks have those that do."""

import torch.distributed as dist


class Keep:
    def on_epoch_end(self, trainer):
        trainer.write()
        dist.barrier()


class Tell:
    def on_epoch_end(self, trainer):
        print("an epoch is over")


class Trainer:
    def __init__(self):
        self.hooks = []
        self.hooks.append(Keep())
        if dist.get_rank() == 0:
            self.hooks.append(Tell())

    def write(self):
        pass

    def fit(self, epochs):
        for _ in range(epochs):
            for hook in self.hooks:
                hook.on_epoch_end(self)


def written_in_two_parts(trainer):
    hooks = [Keep()] + ([Tell()] if dist.get_rank() == 0 else [])
    for hook in hooks:
        hook.on_epoch_end(trainer)


def nobody_has_it(trainer, verbose):
    hooks = [Keep()] + ([Tell()] if verbose else [])
    for hook in hooks:
        hook.on_epoch_end(trainer)


def functions_put_off():
    todo = []
    todo.append(lambda: dist.barrier())
    if dist.get_rank() == 0:
        todo.append(print)
    for task in todo:
        task()
