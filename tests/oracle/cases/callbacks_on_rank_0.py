# Objects in a list that another object keeps; rank 0 alone calls them.
import torch.distributed as dist

class Callback:
    def on_epoch_end(self):
        pass

class Sync(Callback):
    def on_epoch_end(self):
        dist.barrier()

class Trainer:
    def __init__(self, callbacks):
        self.callbacks = callbacks
    def fit(self):
        for _ in range(2):
            if dist.get_rank() == 0:
                for cb in self.callbacks:
                    cb.on_epoch_end()

Trainer([Sync()]).fit()
