"""Something that rank 0 alone has: whoever asks for it asks for the rank."""

import torch.distributed as dist
from torch.utils.tensorboard import SummaryWriter


class Logged:
    def __init__(self, folder):
        self.writer = None
        if dist.get_rank() == 0:
            self.writer = SummaryWriter(folder)

    def log(self, loss, step):
        if self.writer is not None:
            dist.all_reduce(loss)  # expect: TL101
            self.writer.add_scalar("loss", loss, step)


class Chosen:
    def __init__(self, folder, rank):
        if rank == 0:
            self.board = SummaryWriter(folder)
        else:
            self.board = None

    def log(self, loss, step):
        if self.board:
            dist.all_reduce(loss)  # expect: TL101
            self.board.add_scalar("loss", loss, step)
