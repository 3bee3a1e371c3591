"""Saves that every rank must call, under a test on the rank."""

import deepspeed
import lightning as L
import torch.distributed.checkpoint as dcp
from accelerate import Accelerator


def save_engine(args, model, folder, step):
    engine, _, _, _ = deepspeed.initialize(args=args, model=model)
    if engine.global_rank == 0:
        engine.save_checkpoint(folder, tag=f"step{step}")  # expect: TL106


def save_engine_as_method(args, model, folder):
    model_engine, optimizer, *_ = deepspeed.initialize(args=args, model=model, model_parameters=model.parameters())
    if args.local_rank == 0:
        model_engine.save_checkpoint(folder)  # expect: TL106


def save_accelerate_state(folder):
    accelerator = Accelerator()
    if accelerator.is_main_process:
        accelerator.save_state(folder)  # expect: TL106


def whole_state(accelerator, model, optimizer, folder):
    model, optimizer = accelerator.prepare(model, optimizer)
    accelerator.wait_for_everyone()
    if accelerator.is_main_process:
        plain = accelerator.unwrap_model(model)
        plain.save_pretrained(folder, state_dict=accelerator.get_state_dict(model))  # expect: TL106


def shards(model, folder, rank):
    if rank == 0:
        dcp.save({"model": model.state_dict()}, checkpoint_id=folder)  # expect: TL106
        print("written")


def begin_again(model, folder, rank):
    state = {"model": model.state_dict()}
    if rank != 0:
        return
    dcp.load(state, checkpoint_id=folder)  # expect: TL106


class Keep(L.Callback):
    def on_validation_end(self, trainer, module):
        if trainer.is_global_zero:
            trainer.save_checkpoint("best.ckpt")  # expect: TL106


def with_fabric(state):
    fabric = L.Fabric(devices=4)
    if fabric.global_rank == 0:
        fabric.save("last.ckpt", state)  # expect: TL106
