"""Functions of the project that put other layers in the place of those of a model which an optimizer has taken."""

import torch
import torch.nn as nn
from torch.optim import AdamW


class LoRALinear(nn.Module):
    def __init__(self, base):
        super().__init__()
        self.base = base
        self.a = nn.Parameter(torch.zeros(4, 4))

    def forward(self, x):
        return self.base(x)


def convert(module):
    for name, child in module.named_children():
        if isinstance(child, nn.BatchNorm2d):
            setattr(module, name, nn.GroupNorm(8, child.num_features))  # expect: TL709
        else:
            convert(child)


def inject_lora(model):
    for name, m in list(model.named_modules()):
        if isinstance(m, nn.Linear):
            parent = model.get_submodule(name.rpartition(".")[0])
            setattr(parent, name.rpartition(".")[2], LoRALinear(m))  # expect: TL709
    return model


def replace(model):
    for n in list(model._modules):
        if isinstance(model._modules[n], nn.ReLU):
            model._modules[n] = nn.PReLU()  # expect: TL709
        else:
            replace(model._modules[n])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)
        self.head = nn.Linear(4, 2)

    def reset_head(self, n):
        self.head = nn.Linear(4, n)  # expect: TL709

    def forward(self, x):
        return self.head(self.body(x))


def one(loader):
    model = Net()
    opt = AdamW(model.parameters())
    convert(model)
    for x in loader:
        opt.zero_grad()
        model(x).mean().backward()
        opt.step()


def two(loader):
    model = Net()
    opt = AdamW(model.parameters())
    model = inject_lora(model)
    for x in loader:
        opt.zero_grad()
        model(x).mean().backward()
        opt.step()


def three(loader):
    model = Net()
    opt = AdamW(model.parameters())
    model.reset_head(10)
    for x in loader:
        opt.zero_grad()
        model(x).mean().backward()
        opt.step()


def four(loader):
    model = Net()
    opt = AdamW(model.parameters())
    replace(model)
    for x in loader:
        opt.zero_grad()
        model(x).mean().backward()
        opt.step()


class Trainer:
    def __init__(self):
        self.model = Net()
        self.opt = AdamW(self.model.parameters())
        self.prepare()

    def prepare(self):
        self.model.head = nn.Linear(4, 3)  # expect: TL709
        self.model = nn.SyncBatchNorm.convert_sync_batchnorm(self.model)

    def fit(self, loader):
        for x in loader:
            self.opt.zero_grad()
            self.model(x).mean().backward()
            self.opt.step()


def five(loader):
    model = Net()
    opt = AdamW(model.parameters())
    model.apply(lambda m: convert(m))
    for x in loader:
        opt.zero_grad()
        model(x).mean().backward()
        opt.step()


class Wrapped(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x)


def wrap(model):
    for name, child in model.named_children():
        setattr(model, name, nn.Sequential(child, nn.Dropout(0.1)))
        setattr(model, name, Wrapped(child))


def nothing_new(loader):
    model = Net()
    opt = AdamW(model.parameters())
    wrap(model)
    for x in loader:
        opt.zero_grad()
        model(x).mean().backward()
        opt.step()


def converted_first(loader):
    model = Net()
    convert(model)
    opt = AdamW(model.parameters())
    for x in loader:
        opt.zero_grad()
        model(x).mean().backward()
        opt.step()
