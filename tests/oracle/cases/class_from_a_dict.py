# A class from a dict of classes overrides the method that rank 0 calls.
import abc
import torch.distributed as dist

class Base(abc.ABC):
    @abc.abstractmethod
    def save(self): ...
    @property
    def main(self):
        return dist.get_rank() == 0
    def finish(self):
        if self.main:
            self.save()

class Ckpt(Base):
    def save(self):
        self._sync()
    def _sync(self):
        dist.barrier()

def build(kind):
    return {"c": Ckpt}[kind]()

build("c").finish()
