"""Correct: all ranks save; one rank does what one rank may."""

import os
import shutil

import deepspeed
import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from accelerate import Accelerator


def on_all(args, net, folder, step):
    engine, *_ = deepspeed.initialize(args=args, model=net)
    if engine.global_rank == 0:
        os.makedirs(folder, exist_ok=True)
    dist.barrier()
    engine.save_checkpoint(folder, tag=str(step))
    if engine.global_rank == 0:
        print("saved", step)


def keeps_three(accelerator: Accelerator, folder, step):
    if accelerator.is_main_process:
        for old in sorted(os.listdir(folder))[:-3]:
            shutil.rmtree(os.path.join(folder, old))
    accelerator.wait_for_everyone()
    accelerator.save_state(os.path.join(folder, f"{step:06d}"))


def gathered_first(accelerator, model, folder):
    model = accelerator.prepare(model)
    state = accelerator.get_state_dict(model)
    if accelerator.is_main_process:
        accelerator.unwrap_model(model).save_pretrained(folder, state_dict=state, save_function=accelerator.save)


def nobody_else(state, folder):
    if dist.get_rank() == 0:
        dcp.save(state, checkpoint_id=folder, no_dist=True)


def not_in_a_job(state, folder):
    if not dist.is_initialized():
        dcp.save(state, checkpoint_id=folder)


def one_file(accelerator, model, path):
    if accelerator.is_main_process:
        accelerator.save(accelerator.unwrap_model(model).state_dict(), path)


def in_the_mode_that_needs_all(accelerator, folder, sharded):
    if accelerator.is_main_process or sharded:
        accelerator.save_state(folder)


def on_both_sides(args, net, folder, rank):
    engine, *_ = deepspeed.initialize(args=args, model=net)
    if rank == 0:
        engine.save_checkpoint(folder, client_state={"rank": 0})
    else:
        engine.save_checkpoint(folder)


class Writer:
    """A checkpointer that only writes: the state was gathered before."""

    def save_checkpoint(self, state, path):
        torch.save(state, path)


def recipe(writer: Writer, state, path, rank):
    if rank == 0:
        writer.save_checkpoint(state, path)


def unknown(checkpointer, model_state, path, rank):
    if rank == 0:
        checkpointer.save_checkpoint(model_state, path)
