"""What a loop or a method adds to is a counter, whatever it is called."""

import os

import torch


class Fitting:
    def __init__(self, folder, net):
        self.folder = folder
        self.net = net
        self.seen = 0

    def fit(self, loader, optimizer):
        for x in loader:
            optimizer.zero_grad()
            self.net(x).mean().backward()
            optimizer.step()
            self.seen += 1
            if self.seen % 1000 == 0:
                torch.save(self.net.state_dict(), os.path.join(self.folder, f"net_{self.seen}.pt"))

    def resume(self):
        names = sorted(name for name in os.listdir(self.folder) if name.startswith("net_"))  # expect: TL609
        self.net.load_state_dict(torch.load(os.path.join(self.folder, names[-1]), weights_only=True))
