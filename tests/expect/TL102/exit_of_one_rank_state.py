"""The exit hangs on a value that exists on one rank only, or on a flag that only one rank sets."""

import torch.distributed as dist


def no_writer(folder, loss):
    writer = open(folder / "log.txt", "a") if dist.get_rank() == 0 else None
    if writer is None:
        return
    dist.all_reduce(loss)  # expect: TL102
    writer.write(str(loss))


class Stopper:
    def __init__(self):
        self.stop = False

    def update(self, score):
        if dist.get_rank() == 0 and score < 0:
            self.stop = True

    def run(self, steps):
        for _ in range(steps):
            if self.stop:
                break
            dist.barrier()  # expect: TL102
