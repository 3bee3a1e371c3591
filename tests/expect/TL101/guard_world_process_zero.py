"""transformers' `is_world_process_zero` (trainer's method, state's attribute) and `is_global_rank_0`."""

import torch.distributed as dist
from transformers import Trainer, TrainerCallback


class ThroughputCallback(TrainerCallback):
    def on_log(self, args, state, control, **kwargs):
        if state.is_world_process_zero:
            dist.all_reduce(self.tokens_seen)  # expect: TL101

    def on_save(self, args, state, control, **kwargs):
        if not state.is_local_process_zero:
            dist.barrier()  # expect: TL101


class ContrastiveTrainer(Trainer):
    def finish(self, embeddings):
        if self.is_world_process_zero():
            dist.all_gather_object(self.buffers, embeddings)  # expect: TL101


class Engine:
    def __init__(self):
        self.is_global_rank_0 = dist.get_rank() == 0

    def log(self, grad_norm):
        if self.is_global_rank_0:
            dist.all_reduce(grad_norm)  # expect: TL101
