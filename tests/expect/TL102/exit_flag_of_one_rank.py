"""A flag that rank 0 alone sets; the test on it, in another method, is a test on the rank."""

import torch.distributed as dist


class Stopper:
    def __init__(self, patience):
        self.patience = patience
        self.waited = 0
        self.should_stop = False

    def report(self, score, best):
        if dist.get_rank() == 0:
            self.waited = 0 if score < best else self.waited + 1
            if self.waited > self.patience:
                self.should_stop = True

    def fit(self, epochs, run, best):
        for epoch in range(epochs):
            self.report(run(epoch), best)
            if self.should_stop:
                break
            dist.barrier()  # expect: TL102
