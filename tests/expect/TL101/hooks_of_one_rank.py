"""Hooks that rank 0 alone is given, in a list of an object, or in one put together where it is written."""

import torch.distributed as dist


class Hook:
    def on_epoch_end(self, trainer):
        pass


class Keep(Hook):
    """Nobody may go on before all is on the disk."""

    def on_epoch_end(self, trainer):
        trainer.write()
        dist.barrier()


class Tell(Hook):
    def on_epoch_end(self, trainer):
        print("an epoch is over")


class Trainer:
    def __init__(self):
        self.hooks = []
        self.hooks.append(Tell())
        if dist.get_rank() == 0:
            self.hooks.append(Keep())

    def write(self):
        pass

    def fit(self, epochs):
        for _ in range(epochs):
            for hook in self.hooks:
                hook.on_epoch_end(self)  # expect: TL101


def written_in_two_parts(trainer):
    hooks = [Tell()] + ([Keep()] if dist.get_rank() == 0 else [])
    run(hooks, trainer)


def run(hooks, trainer):
    for hook in hooks:
        hook.on_epoch_end(trainer)  # expect: TL101


def functions_put_off():
    todo = [print]
    if dist.get_rank() == 0:
        todo.append(lambda: dist.barrier())
    for task in todo:
        task()  # expect: TL101
