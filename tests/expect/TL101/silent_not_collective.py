"""Calls next to collectives that wait for nobody."""

import torch.distributed as dist
from accelerate import Accelerator
from accelerate.logging import get_logger

logger = get_logger(__name__)


def with_accelerate(accelerator: Accelerator, model, metrics, folder):
    if accelerator.is_main_process:
        accelerator.print("saving")
        accelerator.log(metrics)
        plain = accelerator.unwrap_model(model)
        plain.save_pretrained(folder)
        logger.info("saved")
    accelerator.wait_for_everyone()


def with_torch(rank, store):
    if rank == 0:
        print(dist.get_world_size(), dist.get_backend(), dist.is_initialized())
        store.set("ready", "1")
        dist.destroy_process_group()


def with_gathered_metrics(accelerator: Accelerator, logits):
    logits = accelerator.gather_for_metrics(logits)
    if accelerator.is_main_process:
        print(logits.mean())
