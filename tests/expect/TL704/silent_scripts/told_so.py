"""The mode is set, by a flag or to training: somebody thought of it."""

import torch
from network import Tower


def by_a_flag(path, loader):
    tower = Tower(64)
    tower.load_state_dict(torch.load(path))
    tower.train(False)
    with torch.no_grad():
        return [tower(images) for images in loader]


def averages_renewed(path, loader):
    tower = Tower(64)
    tower.load_state_dict(torch.load(path))
    tower.train()
    with torch.no_grad():
        for images in loader:
            tower(images)
    torch.save(tower.state_dict(), path)
