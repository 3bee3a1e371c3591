"""`save_checkpoint` of a plain writer under the guard; the state was gathered before.

pytorch/torchtune @ c7a92e49935c : recipes/qat_lora_finetune_distributed.py:753
"""

import torch
import torch.distributed as dist


class FileCheckpointer:
    def __init__(self, folder):
        self.folder = folder

    def save_checkpoint(self, state, epoch):
        torch.save(state, self.folder / f"epoch_{epoch}.pt")


class Recipe:
    def __init__(self, folder):
        self._checkpointer = FileCheckpointer(folder)
        self._is_rank_zero = dist.get_rank() == 0

    def save(self, shards, epoch):
        state = [None] * dist.get_world_size()
        dist.all_gather_object(state, shards)
        if self._is_rank_zero:
            self._checkpointer.save_checkpoint(state, epoch=epoch)
        dist.barrier()


def unknown_checkpointer(rank, checkpointer, state):
    if rank == 0:
        checkpointer.save_checkpoint(state)
        checkpointer.save(state)
