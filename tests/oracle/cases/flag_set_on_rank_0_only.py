# Rank 0 sets a flag in one method; another method leaves the loop by it, on rank 0 only (`told_to_stop`).
import torch.distributed as dist


class Trainer:
    def __init__(self):
        self.stop = False

    def check(self):
        if dist.get_rank() == 0:
            self.stop = True

    def fit(self):
        for _ in range(3):
            self.check()
            if self.stop:
                break
            dist.barrier()


Trainer().fit()
