"""A checkpoint that gets its last entries after it was made, by `setdefault`."""

import os

import torch
from torch import optim


class Trainer:
    def __init__(self, config, policy):
        self.config = config
        self.policy = policy
        self.optimizer = optim.AdamW(policy.parameters())

    def save(self, iteration, extra):
        state = {"weights": self.policy.state_dict(), "adam": self.optimizer.state_dict()}
        state.setdefault("iteration", iteration)
        torch.save(state, os.path.join(self.config.folder, f"ckpt.iter{iteration}.pth"))

    def load(self, path):
        loaded = torch.load(path, map_location="cpu", weights_only=True)
        self.policy.load_state_dict(loaded["weights"])
        self.optimizer.load_state_dict(loaded["adam"])
        self.start = loaded["iteration"] + 1
        self.best = loaded["best"]  # expect: TL604
