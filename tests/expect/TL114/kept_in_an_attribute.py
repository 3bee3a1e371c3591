"""Which process prepares the data is decided once, when the object is constructed: as in openai/guided-diffusion."""

import torch.distributed as dist


class Data:
    def __init__(self, source):
        self.source = source
        self.prepares = dist.get_rank() == 0

    def prepare(self):
        if self.prepares:
            self.source.download()
        dist.barrier()


class Other:
    def __init__(self, source, prepares):
        self.source, self.prepares = source, prepares

    def prepare(self):
        if self.prepares:
            self.source.download()
        dist.barrier()


def main(source):
    dist.init_process_group("nccl")  # expect: TL114
    Data(source).prepare()
