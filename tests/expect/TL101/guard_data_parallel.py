"""Data-parallel rank zero: one rank for each model-parallel group, so not the world that the barrier waits for."""

import torch.distributed as dist
from megatron.core import mpu


def save_shard(writer, state):
    if mpu.get_data_parallel_rank() == 0:
        writer.write(state)
        dist.barrier()  # expect: TL101


class CheckpointWriter:
    def __init__(self, cfg):
        self.is_data_parallel_master = cfg.data_parallel_rank == 0

    def save(self, state):
        if self.is_data_parallel_master:
            dist.barrier()  # expect: TL101
            return state
        return None


def last_stage_only(loss):
    if mpu.is_pipeline_last_stage():
        dist.all_reduce(loss)  # expect: TL101
    return loss
