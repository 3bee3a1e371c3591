"""The group's other members are processes of another program; of this one only rank 0 belongs to it.

OpenRLHF/OpenRLHF @ 9adb4a61e82d : openrlhf/trainer/ray/ppo_actor.py:296
"""

import ray
import torch.distributed as dist
from openrlhf.utils import init_process_group


class ActorTrainer:
    def __init__(self, engines, address):
        self.engines = engines
        if dist.get_rank() == 0:
            self._model_update_group = init_process_group(
                backend="nccl", init_method=address, world_size=len(engines) + 1, rank=0, group_name="weights"
            )
        dist.barrier()

    def broadcast_to_engines(self, model):
        for name, parameter in model.named_parameters():
            if dist.get_rank() == 0:
                pending = [engine.update_weight.remote(name, parameter.shape) for engine in self.engines]
                dist.broadcast(parameter.data, 0, group=self._model_update_group)
                ray.get(pending)
        dist.barrier()
