"""An object that communicates in the group of all ranks where it is given none, made on some ranks."""

import torch.distributed as dist


class Shared:
    def __init__(self, model, group=None):
        self.model = model
        self._group = group if group is not None else dist.group.WORLD
        self.spread()

    def spread(self):
        for tensor in self.model.buffers():
            dist.broadcast(tensor, src=0, group=self._group)


def main(model):
    dist.init_process_group("gloo")
    members = [0, 2]
    if dist.get_rank() in members:
        model = Shared(model)  # expect: TL101
    return model
