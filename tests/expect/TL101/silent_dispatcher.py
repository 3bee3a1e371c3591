"""Only rank 0 reads the data; what it found out is broadcast after the test.

huggingface/accelerate @ c7526e9483d8 : src/accelerate/data_loader.py:419, :429
"""

import torch.distributed as dist


class Dispatcher:
    def __init__(self, dataset):
        self.dataset = dataset
        self.rank = dist.get_rank()

    def fetch(self, iterator):
        batch = None
        if self.rank == 0:
            try:
                batch = next(iterator)
                info = [batch, False]
            except StopIteration:
                info = [None, True]
        else:
            info = [None, True]
        dist.broadcast_object_list(info, src=0)
        return info

    def __iter__(self):
        iterator = iter(self.dataset) if self.rank == 0 else None
        stop = False
        while not stop:
            batch, stop = self.fetch(iterator)
            yield batch
