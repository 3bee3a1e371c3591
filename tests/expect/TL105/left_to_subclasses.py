"""What is saved is left to the subclass by a method without a body."""

import abc
import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


class Checkpointer(abc.ABC):
    def __init__(self, path, rank):
        self.path, self.rank = path, rank

    @abc.abstractmethod
    def state(self): ...
    def save(self):
        if self.rank == 0:
            torch.save(self.state(), self.path)  # expect: TL105


class ModelCheckpointer(Checkpointer):
    def __init__(self, model, **kw):
        super().__init__(**kw)
        self.model = model

    def state(self):
        return {"model": self.model.state_dict()}


def main():
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    model = FSDP(torch.nn.Linear(4, 4).cuda())
    ckpt = ModelCheckpointer(model, path="m.pt", rank=rank)
    for epoch in range(3):
        ckpt.save()


main()
