"""What an optimizer, a scaler and a scheduler are is told by what is done with them: their names say nothing."""

import torch


def emptied_and_stepped(net, crit, loader, helper, every):
    for index, (x, y) in enumerate(loader):
        (crit(net(x), y) / every).backward()
        if (index + 1) % every == 0:
            helper.step()  # expect: TL707
            helper.zero_grad()


def scaled(net, loader, first, second, every):
    for index, x in enumerate(loader):
        second.scale(net(x).mean() / every).backward()
        if (index + 1) % every == 0:
            second.unscale_(first)
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            second.step(first)  # expect: TL707
            second.update()
            first.zero_grad()


class Fitting:
    def __init__(self, net, parts):
        self.net = net
        self.parts = parts

    def fit(self, loader, every):
        for index, x in enumerate(loader):
            (self.net(x).mean() / every).backward()
            if (index + 1) % every == 0:
                self.parts["of the net"].step()  # expect: TL707
                self.parts["of the net"].zero_grad()


def does_it_all(agent, loader, every):
    """Something with a backward pass of its own is no optimizer: what its step does is out of sight."""
    for index, x in enumerate(loader):
        agent.backward(agent(x).mean() / every)
        if (index + 1) % every == 0:
            agent.step()
            agent.zero_grad()
