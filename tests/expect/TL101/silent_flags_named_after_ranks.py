"""Configuration flags with "rank" in their name; the same on every rank.

mosaicml/composer @ 54c2f88cc3d2 : composer/core/state.py:474
facebookresearch/metaseq @ 3f52fa9d3a71 : metaseq/checkpoint_utils.py:387
"""

import torch.distributed as dist


class State:
    def __init__(self, load_monolith_rank0_only, fsdp_config):
        self.load_monolith_rank0_only = load_monolith_rank0_only
        self.load_fsdp_monolith_rank0_only = fsdp_config.get("load_monolith_rank0_only", False)

    def load(self, buffers):
        if self.load_monolith_rank0_only:
            dist.broadcast(buffers, src=0)
        if self.load_fsdp_monolith_rank0_only:
            dist.all_reduce(buffers)


def load_checkpoint(path, load, load_on_all_ranks):
    state = load(path)
    if load_on_all_ranks:
        dist.barrier()
    return state


def evaluate(cfg, metric):
    if cfg.sync_across_ranks:
        dist.all_reduce(metric)
    if cfg.log_rank_zero_only:
        dist.barrier()
    return metric
