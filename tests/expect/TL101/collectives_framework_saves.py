"""Saves that every rank must call.

These belong to the more specific TL106 once that rule is there.
"""

import deepspeed
from accelerate import Accelerator


def save_engine(args, model, folder, step):
    engine, _, _, _ = deepspeed.initialize(args=args, model=model)
    if engine.global_rank == 0:
        engine.save_checkpoint(folder, tag=f"step{step}")  # expect: TL101


def save_engine_as_method(args, model, folder):
    model_engine, optimizer, *_ = deepspeed.initialize(args=args, model=model, model_parameters=model.parameters())
    if args.local_rank == 0:
        model_engine.save_checkpoint(folder)  # expect: TL101


def save_accelerate_state(folder):
    accelerator = Accelerator()
    if accelerator.is_main_process:
        accelerator.save_state(folder)  # expect: TL101
