import torch


class Trainer:
    """It is called like that of a library, and saves like a plain writer."""

    def __init__(self, model, rank):
        self.model = model
        self.rank = rank

    @property
    def is_master(self):
        return self.rank == 0

    def save_checkpoint(self, path):
        torch.save(self.model.state_dict(), path)
