"""Functions that accelerate runs inside of ``save_state`` and ``load_state``, in the processes that call these."""

import torch
from accelerate import Accelerator


def closure(args, model):
    accelerator = Accelerator()

    def write_adapter(models, weights, folder):
        if accelerator.is_main_process:
            torch.save(models[0], folder)
        accelerator.wait_for_everyone()

    accelerator.register_save_state_pre_hook(write_adapter)
    for step in range(args.steps):
        model(step)
        if step % args.every == 0 and (accelerator.is_main_process or args.sharded):
            accelerator.save_state(args.folder)  # expect: TL101


def resumed_on_one(args):
    accelerator = Accelerator()

    def read_adapter(models, folder):
        accelerator.wait_for_everyone()
        models[0].load(folder)

    accelerator.register_load_state_pre_hook(read_adapter)
    if accelerator.is_main_process:
        accelerator.load_state(args.folder)  # expect: TL101


class Hooks:
    def __init__(self, accelerator):
        self.accelerator = accelerator

    def before_saving(self, models, weights, folder):
        self.accelerator.wait_for_everyone()


class Trainer:
    """The hook is a method of another object, and the save is two calls away from the test."""

    def __init__(self, args):
        self.args = args
        self.accelerator = Accelerator()
        self.hooks = Hooks(self.accelerator)
        self.accelerator.register_save_state_pre_hook(self.hooks.before_saving)

    def save(self):
        self.accelerator.save_state(self.args.folder)

    def train(self, model, batches):
        for batch in batches:
            model(batch)
        if self.accelerator.is_main_process or self.args.sharded:
            self.save()  # expect: TL101
