"""Hooks of ``save_state`` that harm nobody. No finding."""

import torch
from accelerate import Accelerator


def saved_by_all(args):
    accelerator = Accelerator()

    def write_adapter(models, weights, folder):
        if accelerator.is_main_process:
            torch.save(models[0], folder)
        accelerator.wait_for_everyone()

    accelerator.register_save_state_pre_hook(write_adapter)
    accelerator.save_state(args.folder)


def without_a_collective(args):
    accelerator = Accelerator()

    def write_adapter(models, weights, folder):
        if accelerator.is_main_process:
            torch.save(models[0], folder)

    accelerator.register_save_state_pre_hook(write_adapter)
    if accelerator.is_main_process or args.sharded:
        accelerator.save_state(args.folder)


def of_another_accelerator(args):
    accelerator = Accelerator()
    teacher = Accelerator()

    def meet(models, weights, folder):
        teacher.wait_for_everyone()

    teacher.register_save_state_pre_hook(meet)
    teacher.save_state(args.folder)
    if accelerator.is_main_process or args.sharded:
        accelerator.save_state(args.folder)


def of_the_other_direction(args):
    accelerator = Accelerator()

    def read_adapter(models, folder):
        accelerator.wait_for_everyone()

    accelerator.register_load_state_pre_hook(read_adapter)
    accelerator.load_state(args.folder)
    if accelerator.is_main_process or args.sharded:
        accelerator.save_state(args.folder)


def registered_and_never_run(args):
    accelerator = Accelerator()

    def meet(models, weights, folder):
        accelerator.wait_for_everyone()

    if accelerator.is_main_process:
        accelerator.register_save_state_pre_hook(meet)


def called_by_all_themselves(args):
    accelerator = Accelerator()

    def meet():
        accelerator.wait_for_everyone()

    if accelerator.is_main_process:
        print(args)
    meet()
