"""The grid of processes: replicas of a sharded model, and a group of node leaders."""

from __future__ import annotations

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import DeviceMesh, init_device_mesh
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from torch.distributed.tensor import DTensor

from .dist_env import ProcessInfo
from .model import LanguageModel


class Layout:
    """Device mesh of ``replicas`` × shards, and the process groups that go with it."""

    def __init__(self, info: ProcessInfo, device: torch.device, replicas: int) -> None:
        self.info = info
        self.target = device
        shape = (replicas, info.world // replicas)
        self.grid: DeviceMesh = init_device_mesh(device.type, shape, mesh_dim_names=("replicate", "shard"))
        self.leaders = list(range(0, info.world, info.ranks_per_node))
        self.leader_group = dist.new_group(self.leaders)

    def shard_model(self, model: LanguageModel) -> None:
        """Shard every block, then what is left of the model."""
        policy = MixedPrecisionPolicy()
        if self.target.type == "cuda":
            policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)
        for block in model.blocks:
            fully_shard(block, mesh=self.grid, mp_policy=policy)
        fully_shard(model, mesh=self.grid, mp_policy=policy)

    def weight_norm(self, model: nn.Module) -> float:
        """Norm of all weights, computed by the first replica; 0 in the others."""
        if self.grid.get_local_rank("replicate") != 0:
            return 0.0
        squares = torch.zeros((), device=self.target)
        with torch.no_grad():
            for parameter in model.parameters():
                local = parameter.to_local() if isinstance(parameter, DTensor) else parameter
                squares += local.float().pow(2).sum()
        dist.all_reduce(squares, group=self.grid.get_group("shard"))
        return squares.sqrt().item()

    def busiest_node(self, load: float) -> float:
        """Largest load average of the nodes; node leaders ask each other, the others return their own."""
        highest = torch.tensor(load, device=self.target)
        if self.info.global_rank in self.leaders:
            dist.all_reduce(highest, op=dist.ReduceOp.MAX, group=self.leader_group)
        return highest.item()
