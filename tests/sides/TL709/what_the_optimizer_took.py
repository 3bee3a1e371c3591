"""A layer that is replaced behind an optimizer: in which way the optimizer took the parameters, and whether of this model."""

import itertools

import torch
from torch import nn


def parameters(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.head = nn.Linear(64, 2)  # expect: TL709
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


def parameters_by_keyword(model, loader):
    optimizer = torch.optim.SGD(params=model.parameters(), lr=0.1)
    model.head = nn.Linear(64, 2)  # expect: TL709
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


def list_of_them(model, loader):
    optimizer = torch.optim.SGD(list(model.parameters()), lr=0.1)
    model.head = nn.Linear(64, 2)  # expect: TL709
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


def those_to_be_trained(model, loader):
    optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.1)
    model.head = nn.Linear(64, 2)  # expect: TL709
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


def one_group(model, loader):
    optimizer = torch.optim.SGD([{"params": model.parameters(), "lr": 0.1}])
    model.head = nn.Linear(64, 2)  # expect: TL709
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


def sum_of_two_lists(model, other, loader):
    optimizer = torch.optim.SGD(list(model.parameters()) + list(other.parameters()), lr=0.1)
    model.head = nn.Linear(64, 2)  # expect: TL709
    for x in loader:
        optimizer.zero_grad()
        other(model(x)).mean().backward()
        optimizer.step()


def chained(model, other, loader):
    optimizer = torch.optim.SGD(itertools.chain(model.parameters(), other.parameters()), lr=0.1)
    model.head = nn.Linear(64, 2)  # expect: TL709
    for x in loader:
        optimizer.zero_grad()
        other(model(x)).mean().backward()
        optimizer.step()


def of_another_model(model, other, loader):
    optimizer = torch.optim.SGD(other.parameters(), lr=0.1)
    model.head = nn.Linear(64, 2)
    for x in loader:
        optimizer.zero_grad()
        other(model(x)).mean().backward()
        optimizer.step()


def of_another_part(model, loader):
    optimizer = torch.optim.SGD(model.body.parameters(), lr=0.1)
    model.head = nn.Linear(64, 2)
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


def of_the_part_itself(model, loader):
    optimizer = torch.optim.SGD(model.body.parameters(), lr=0.1)
    model.body.last = nn.Linear(64, 2)  # expect: TL709
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


def before_the_optimizer(model, loader):
    model.head = nn.Linear(64, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


def never_steps(model, loader, report):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.head = nn.Linear(64, 2)
    report(optimizer.state_dict())
    for x in loader:
        print(model(x).mean())


def layer_without_parameters(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.head = nn.Identity()
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


def layer_around_the_old_one(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.head = nn.Sequential(nn.Dropout(0.1), model.head)
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


def moved(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model = model.to("cuda")
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


def taken_by_another(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.head = nn.Linear(64, 2)
    for_head = torch.optim.SGD(model.head.parameters(), lr=1.0)
    for x in loader:
        optimizer.zero_grad()
        for_head.zero_grad()
        model(x).mean().backward()
        optimizer.step()
        for_head.step()


def trainable(net):
    return [p for p in net.parameters() if p.requires_grad]


def by_a_helper(model, loader):
    optimizer = torch.optim.AdamW(trainable(model), lr=1e-3)
    model.head = nn.Linear(64, 2)  # expect: TL709
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


def make_optimizer(net, rate):
    return torch.optim.AdamW(net.parameters(), lr=rate)


def made_by_a_helper(model, loader):
    optimizer = make_optimizer(model, 1e-3)
    model.head = nn.Linear(64, 2)  # expect: TL709
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


def made_again_by_a_helper(model, loader):
    optimizer = make_optimizer(model, 1e-3)
    model.head = nn.Linear(64, 2)
    optimizer = make_optimizer(model, 1e-3)
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()
