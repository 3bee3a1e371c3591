"""Files that are moved to their place by other libraries, or kept beside the last one."""
# Modelled on facebookresearch/fairseq, huggingface/pytorch-image-models.

import os

import torch
from iopath.common.file_io import PathManager
from torch import optim


class Saver:
    def __init__(self, folder, model, optimizer):
        self.folder = folder
        self.model = model
        self.optimizer = optimizer

    def save(self, epoch):
        state = {"net": self.model.state_dict(), "adam": self.optimizer.state_dict(), "epoch": epoch}
        path = os.path.join(self.folder, "last.pth.tar")
        torch.save(state, os.path.join(self.folder, "tmp.pth.tar"))
        if os.path.exists(path):
            os.unlink(path)
        PathManager.rename(os.path.join(self.folder, "tmp.pth.tar"), path)


def train(folder, model, loader, epochs):
    optimizer = optim.Adam(model.parameters())
    saver = Saver(folder, model, optimizer)
    old = torch.load(os.path.join(folder, "last.pth.tar"), map_location="cpu")
    model.load_state_dict(old["net"])
    optimizer.load_state_dict(old["adam"])
    for epoch in range(old["epoch"] + 1, epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        saver.save(epoch)
