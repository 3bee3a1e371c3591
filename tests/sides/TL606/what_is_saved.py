"""What is handed to a save: a module, or something that may be none."""

import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        return self.layer(x)


class Settings:
    def __init__(self):
        self.width = 4


def a_layer(path):
    layer = nn.Linear(4, 4)
    torch.save(layer, path)  # expect: TL606


def a_net(path):
    torch.save(Net(), path)  # expect: TL606


def settings(path):
    torch.save(Settings(), path)


def by_name(path):
    torch.save(obj=Net(), f=path)  # expect: TL606


def a_wrapper(net, path):
    wrapped = DistributedDataParallel(net)
    torch.save(wrapped, path)  # expect: TL606


def a_layer_or_a_net(path, small):
    net = nn.Linear(4, 4) if small else Net()
    torch.save(net, path)  # expect: TL606


def a_layer_or_nothing(path, small):
    net = nn.Linear(4, 4) if small else None
    torch.save(net, path)  # expect-likely: TL606


def a_layer_or_settings(path, small):
    thing = nn.Linear(4, 4) if small else Settings()
    torch.save(thing, path)  # expect-likely: TL606


def compiled(path):
    net = torch.jit.script(Net())
    torch.save(net, path)


def used_as_a_module(net, x, path):
    print(sum(each.numel() for each in net.parameters()))
    torch.save(net, path)  # expect: TL606
    return net(x)


def used_as_something(thing, path):
    thing.close()
    torch.save(thing, path)


def used_as_an_optimizer(thing, path):
    thing.zero_grad()
    thing.step()
    torch.save(thing, path)


def used_as_a_scaler(thing, loss, path):
    thing.scale(loss).backward()
    print(thing.state_dict())
    torch.save(thing, path)


def of_a_tensor(path):
    torch.save(torch.zeros(4), path)


def its_state(net, path):
    net.eval()
    torch.save(net.state_dict(), path)


def given_on(net, path):
    torch.save(net, path)


def gives_a_state(path):
    given_on({"width": 4}, path)
