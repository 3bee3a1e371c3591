"""`not is_main_process`, in all its spellings."""

import lightning as L
import torch.distributed as dist
from accelerate import Accelerator
from transformers import TrainerCallback


def get_rank():
    return dist.get_rank() if dist.is_initialized() else 0


def is_main_process():
    return get_rank() == 0


def is_primary(args):
    return args.rank == 0


def helper(tensor):
    if not is_main_process():
        return
    dist.all_reduce(tensor)  # expect: TL102


def helper_with_argument(args, tensor):
    if not is_primary(args):
        return
    dist.all_reduce(tensor)  # expect: TL102


def with_accelerator(accelerator: Accelerator, logits):
    if not accelerator.is_main_process:
        return None
    return accelerator.gather(logits)  # expect: TL102


def with_local_process(accelerator: Accelerator, folder):
    if not accelerator.is_local_main_process:
        return
    folder.clean()
    accelerator.wait_for_everyone()  # expect: TL102


def with_process_index(accelerator: Accelerator, folder):
    if accelerator.process_index != 0:
        return
    folder.clean()
    accelerator.wait_for_everyone()  # expect: TL102


class Exporter(L.Callback):
    def on_train_end(self, trainer, pl_module):
        if not trainer.is_global_zero:
            return
        trainer.strategy.barrier()  # expect: TL102

    def on_test_end(self, trainer, pl_module):
        if trainer.global_rank != 0:
            return
        trainer.strategy.barrier()  # expect: TL102


class TokenCallback(TrainerCallback):
    def on_log(self, args, state, control, **kwargs):
        if not state.is_world_process_zero:
            return
        dist.all_reduce(self.tokens)  # expect: TL102


def fabric_style(fabric: L.Fabric):
    if not fabric.is_global_zero:
        return
    fabric.barrier()  # expect: TL102
