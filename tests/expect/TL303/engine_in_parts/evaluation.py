"""Passes that are called from the training script: for features, and for scores."""

import torch


def extract(net, loader):
    net.eval()
    features = []
    for images, _ in loader:
        out = net(images)  # expect: TL303
        features.append(out.cpu().detach())
    return torch.cat(features)


class Evaluator:
    def __init__(self, net, criterion):
        self.net, self.criterion = net, criterion

    def measure(self, batch):
        return self.criterion(self.net(batch["x"]), batch["y"]).item()  # expect: TL303

    def run(self, loader):
        self.net.eval()
        total = 0.0
        for batch in loader:
            total += self.measure(batch)
        return total / len(loader)
