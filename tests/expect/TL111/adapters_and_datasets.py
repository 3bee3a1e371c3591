"""Rank 0 saves an adapter, or fetches a data set, and the others read it at once."""

import torch.distributed as dist
from peft import PeftModel
from torchvision.datasets import CIFAR100


def merged(model, base, lora_rank, with_adapter):
    dist.init_process_group("nccl")
    folder = f"adapters/{lora_rank}"
    where = folder if with_adapter else "runs"
    if dist.get_rank() == 0:
        model.save_pretrained(where)  # expect: TL111
    return PeftModel.from_pretrained(base, folder)


def fetched(folder):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        CIFAR100(folder, download=True)  # expect: TL111
    return CIFAR100(folder)


def merged_when_it_is_there(model, base, lora_rank):
    dist.init_process_group("nccl")
    folder = f"adapters/{lora_rank}"
    if dist.get_rank() == 0:
        model.save_pretrained(folder)
    dist.barrier()
    return PeftModel.from_pretrained(base, folder)


def another_adapter(model, base, folder):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        model.save_pretrained("saved")
    return PeftModel.from_pretrained(base, folder)


def fetched_before_it_is_read(folder):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        CIFAR100(folder, download=True)
    dist.barrier()
    return CIFAR100(folder)
