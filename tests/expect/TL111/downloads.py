"""Rank 0 alone fetches a model into a folder, and all ranks read it from there."""

import torch.distributed as dist
from huggingface_hub import snapshot_download
from transformers import AutoModel, AutoTokenizer


def read_at_once(name, folder):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        snapshot_download(name, local_dir=folder)  # expect: TL111
    return AutoModel.from_pretrained(folder)


def read_by_a_tokenizer(name, folder):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        snapshot_download(name, local_dir=folder)  # expect: TL111
    return AutoTokenizer.from_pretrained(folder)


def waited(name, folder):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        snapshot_download(name, local_dir=folder)
    dist.barrier()
    return AutoModel.from_pretrained(folder)


def into_the_cache(name, folder):
    """Where the cache is, and who locks it, is the library's business."""
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        snapshot_download(name)
    return AutoModel.from_pretrained(folder)


def another_folder(name, folder, other):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        snapshot_download(name, local_dir=folder)
    return AutoModel.from_pretrained(other)
