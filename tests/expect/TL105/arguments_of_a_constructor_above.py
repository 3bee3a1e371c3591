"""What the constructor of the class above is given: by `super().__init__()`, not by the call that makes the object."""

import abc
import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


class Writer(abc.ABC):
    def __init__(self, rank):
        self.rank = rank

    @abc.abstractmethod
    def state(self): ...
    def write(self):
        if self.rank == 0:
            torch.save(self.state(), "m.pt")  # expect: TL105


class ModelWriter(Writer):
    def __init__(self, model, rank):
        super().__init__(rank)
        self.model = model

    def state(self):
        return {"model": self.model.state_dict()}


def main():
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    torch.cuda.set_device(rank)
    ModelWriter(FSDP(torch.nn.Linear(4, 4).cuda()), rank).write()


main()
