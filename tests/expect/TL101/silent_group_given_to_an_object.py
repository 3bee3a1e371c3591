"""An object that communicates in the group it is given, and in that of all ranks where it is given none."""

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
    group = dist.new_group(ranks=members)
    if dist.get_rank() in members:
        model = Shared(model, group=group)
    return model
