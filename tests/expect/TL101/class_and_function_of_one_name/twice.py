"""One name is that of a class first, and of a function then."""

import torch.distributed as dist


class Buffer:
    def fill(self, value):
        self.value = value


def Buffer(size):  # noqa: F811, N802
    if dist.get_rank() == 0:
        dist.barrier()  # expect: TL101
    return [0] * size
