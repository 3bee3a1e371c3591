"""Backward passes that are recorded, round after round."""

import torch


def curvature(model, loader, optimizer):
    for x, y in loader:
        loss = torch.nn.functional.cross_entropy(model(x), y)
        loss.backward(create_graph=True)  # expect: TL309
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()  # expect: TL701


class Solver:
    def __init__(self, net, optimizer):
        self.net, self.optimizer = net, optimizer

    def step(self, batch):
        loss = self.net(batch).mean()
        loss.backward(retain_graph=True, create_graph=True)  # expect: TL309
        self.optimizer.step()

    def run(self, loader):
        for batch in loader:
            self.step(batch)
            for parameter in self.net.parameters():
                parameter.grad.zero_()


def perhaps_recorded(model, loader, optimizer, second_order):
    for batch in loader:
        model(batch).mean().backward(create_graph=second_order)
        optimizer.step()  # expect: TL701
