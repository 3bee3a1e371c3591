"""States of models that are in a wrapper where there are several GPUs, and that nobody reads into one."""
# Modelled on BatsResearch/taglets, Tianxiaomo/pytorch-YOLOv4.

import copy

import torch
from torch import nn


class Trainable:
    def __init__(self, model, distributed, folder):
        self.model = model
        self.folder = folder
        if distributed:
            self.model = nn.parallel.DistributedDataParallel(self.model)

    def train(self, epochs, validate):
        best, best_state = 0.0, None
        for _ in range(epochs):
            accuracy = validate(self.model)
            if accuracy > best:
                best = accuracy
                best_state = copy.deepcopy(self.model.state_dict())  # expect-likely: TL605
                torch.save(best_state, self.folder + "/model.pth")
        self.model.load_state_dict(best_state)
