"""Somebody reads gradients in the same file, for something else; the gradients of the loop are applied by nobody."""

import torch


def slope(function, x):
    x = x.clone().requires_grad_(True)
    function(x).sum().backward()
    return x.grad


def train(model, criterion, loader, log):
    optimizer = torch.optim.Adam(model.parameters())
    for images, labels in loader:
        optimizer.zero_grad()
        loss = criterion(model(images), labels)
        loss.backward()  # expect: TL711
        log(loss.item())


class Learner:
    def __init__(self, net, timer, options):
        self.net = net
        self.timer = timer
        self.optimizer = torch.optim.Adam(net.parameters(), lr=options.lr)

    def fit(self, loader):
        for batch in loader:
            self.optimizer.zero_grad()
            self.net(batch).mean().backward()  # expect: TL711
            self.timer.step()
