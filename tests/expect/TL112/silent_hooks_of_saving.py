"""Hooks in which one rank writes, or each rank its own file, or that only read; hooks of others."""

import os

import torch
from accelerate import Accelerator


class Hooks:
    def __init__(self, accelerator):
        self.accelerator = accelerator

    def before_saving(self, models, weights, output_dir):
        if not self.accelerator.is_main_process:
            return
        for model in models:
            model.save_pretrained(os.path.join(output_dir, "model"))
            weights.pop()


def main(args, model, tracer):
    accelerator = Accelerator()

    def save_models(models, weights, folder):
        if accelerator.is_main_process:
            for each in models:
                each.save_pretrained(os.path.join(folder, "model"))

    def save_own(models, weights, folder):
        torch.save(weights, os.path.join(folder, f"own-{accelerator.process_index}.pt"))

    def save_named(models, weights, folder):
        for each in models:
            each.save_pretrained(folder, is_main_process=accelerator.is_main_process)

    def load_models(models, folder):
        for each in models:
            each.load_state_dict(torch.load(os.path.join(folder, "model.pt")))

    def trace(folder):
        torch.save(args, os.path.join(folder, "trace.pt"))

    accelerator.register_save_state_pre_hook(save_models)
    accelerator.register_save_state_pre_hook(save_own)
    accelerator.register_save_state_pre_hook(save_named)
    accelerator.register_save_state_pre_hook(Hooks(accelerator).before_saving)
    accelerator.register_load_state_pre_hook(load_models)
    tracer.register_save_state_pre_hook(trace)


def of_one(args):
    """A hook that only the main process has."""
    accelerator = Accelerator()

    def save_config(models, weights, folder):
        torch.save(args, os.path.join(folder, "config.pt"))

    if accelerator.is_main_process:
        accelerator.register_save_state_pre_hook(save_config)
