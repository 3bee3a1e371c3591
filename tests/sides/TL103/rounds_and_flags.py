"""What one rank drew decides, by itself or by way of a list, a flag, an entry or a function of the project."""

import math

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def by_its_loss(network, loader, optimizer):
    model = DistributedDataParallel(network)
    for batch in loader:
        loss = model(batch).mean()
        if torch.isnan(loss):
            continue
        loss.backward()  # expect: TL103
        optimizer.step()
        optimizer.zero_grad()


def by_the_loss_of_all(network, loader, optimizer):
    model = DistributedDataParallel(network)
    for batch in loader:
        loss = model(batch).mean()
        bad = torch.isnan(loss).float()
        dist.all_reduce(bad)
        if bad:
            continue
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def by_a_list_of_losses(network, loader, optimizer):
    model = DistributedDataParallel(network)
    for batch in loader:
        bad = []
        loss = model(batch).mean()
        if torch.isnan(loss):
            bad.append(loss)
        if bad:
            continue
        loss.backward()  # expect: TL103
        optimizer.step()
        optimizer.zero_grad()


def by_a_flag(network, loader, optimizer):
    model = DistributedDataParallel(network)
    for batch in loader:
        bad = torch.zeros(1)
        loss = model(batch).mean()
        if torch.isnan(loss):
            bad.fill_(1)
        if bad.item():
            continue
        loss.backward()  # expect: TL103
        optimizer.step()
        optimizer.zero_grad()


def by_a_flag_of_all(network, loader, optimizer):
    model = DistributedDataParallel(network)
    for batch in loader:
        bad = torch.zeros(1)
        loss = model(batch).mean()
        if torch.isnan(loss):
            bad.fill_(1)
        dist.all_reduce(bad)
        if bad.item():
            continue
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def by_an_entry(network, loader, optimizer):
    model = DistributedDataParallel(network)
    for batch in loader:
        found = {"bad": False}
        loss = model(batch).mean()
        found["bad"] = math.isnan(loss.item())
        if found["bad"]:
            continue
        loss.backward()  # expect: TL103
        optimizer.step()
        optimizer.zero_grad()


def by_an_entry_beside(network, loader, optimizer):
    model = DistributedDataParallel(network)
    for batch in loader:
        found = {"bad": False, "rest": False}
        loss = model(batch).mean()
        found["bad"] = math.isnan(loss.item())
        if found["rest"]:
            continue
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def is_bad(loss):
    return bool(torch.isnan(loss))


def by_a_function(network, loader, optimizer):
    model = DistributedDataParallel(network)
    for batch in loader:
        loss = model(batch).mean()
        if is_bad(loss):
            continue
        loss.backward()  # expect: TL103
        optimizer.step()
        optimizer.zero_grad()


def by_a_tensor_made_of_it(network, loader, optimizer):
    model = DistributedDataParallel(network)
    for batch in loader:
        loss = model(batch).mean()
        bad = torch.tensor([torch.isnan(loss)])
        if bad.item():
            continue
        loss.backward()  # expect: TL103
        optimizer.step()
        optimizer.zero_grad()


def by_a_tensor_made_of_it_for_all(network, loader, optimizer):
    model = DistributedDataParallel(network)
    for batch in loader:
        loss = model(batch).mean()
        bad = torch.tensor([torch.isnan(loss)]).float().cuda()
        dist.all_reduce(bad)
        if bad.item():
            continue
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
