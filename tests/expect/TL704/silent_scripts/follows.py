"""A copy that follows a model that is trained elsewhere, and a model that is changed, not asked."""

import torch
from network import Tower


class Follower:
    def __init__(self, leader):
        self.copy = Tower(64)
        self.copy.load_state_dict(leader.state_dict())

    @torch.no_grad()
    def answer(self, x):
        return self.copy(x)


def merged(paths, into):
    tower = Tower(64)
    with torch.no_grad():
        for path in paths:
            tower.load_state_dict(torch.load(path))
            for parameter in tower.parameters():
                parameter.mul_(0.5)
    torch.save(tower.state_dict(), into)
