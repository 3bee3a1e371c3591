"""What all ranks run: told by a barrier behind the project's own functions, or in the mode that a setting chooses."""

import json
import os

import torch
import torch.distributed as dist


def synchronize():
    if not dist.is_available() or not dist.is_initialized():
        return
    if dist.get_world_size() > 1:
        dist.barrier()


class Runner:
    def wait(self):
        synchronize()


def epochs(args, model, fit):
    runner = Runner()
    for _ in range(args.epochs):
        fit(model)
        torch.save(model.state_dict(), os.path.join(args.output_dir, "last.pt"))  # expect: TL112
        runner.wait()


def finish(cfg, trainer):
    if cfg.fsdp:
        trainer.accelerator.wait_for_everyone()
        dist.barrier()
        with open(os.path.join(cfg.output_dir, "config.json"), "w") as file:  # expect: TL112
            json.dump(cfg.model, file)
    else:
        print("done")


def export(cfg, model):
    if cfg.use_fsdp and not cfg.peft:
        dist.barrier()
    if cfg.fsdp and cfg.keep:
        torch.jit.script(model).save(os.path.join(cfg.output_dir, "model.zip"))  # expect: TL112
