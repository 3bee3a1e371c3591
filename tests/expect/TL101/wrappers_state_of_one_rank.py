"""No rank word in the test: an attribute that only rank 0 ever fills."""

import torch.distributed as dist


class TableLogger:
    def __init__(self, folder):
        self.writer = None
        if dist.get_rank() == 0:
            self.writer = open(folder / "table.csv", "a")

    def log(self, loss):
        if self.writer is not None:
            dist.all_reduce(loss)  # expect: TL101
            self.writer.write(f"{loss.item()}\n")


class Stopper:
    def __init__(self):
        self.should_stop = False

    def update(self, losses):
        if dist.get_rank() == 0 and min(losses[-5:]) > min(losses):
            self.should_stop = True

    def finish(self):
        if self.should_stop:
            dist.barrier()  # expect: TL101
