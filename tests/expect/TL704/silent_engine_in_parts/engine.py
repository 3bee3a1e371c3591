"""Two passes in one function, by a flag; and one that a base class switches."""

import contextlib

import torch


def run_pass(net, loader, optimizer=None):
    training = optimizer is not None
    net.train() if training else net.eval()
    with contextlib.nullcontext() if training else torch.no_grad():
        for x, y in loader:
            loss = torch.nn.functional.cross_entropy(net(x), y)
            if training:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()


class Task:
    def before(self, net, phase):
        net.train(phase == "train")

    def run(self, net, loaders, optimizer):
        for _ in range(10):
            for phase in ("train", "test"):
                self.before(net, phase)
                with torch.set_grad_enabled(phase == "train"):
                    for x, y in loaders[phase]:
                        loss = torch.nn.functional.cross_entropy(net(x), y)
                        if phase == "train":
                            optimizer.zero_grad()
                            loss.backward()
                            optimizer.step()
