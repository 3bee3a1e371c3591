"""A sum of losses with weights of their own is no share; one all of whose terms have the same factor may be."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def one_is_weighed(model, optimizer, loader, window):
    for number, (x, y) in enumerate(loader):
        out, code = model(x)
        loss = F.cross_entropy(out, y) + 0.1 * F.mse_loss(code, x)
        loss.backward()  # expect: TL706
        if (number + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()


def each_is_weighed(model, optimizer, loader, window, args):
    for number, (x, y) in enumerate(loader):
        out, code = model(x)
        loss = 0
        loss += args.first * F.cross_entropy(out, y)
        loss += args.second * F.mse_loss(code, x)
        loss.backward()  # expect: TL706
        if (number + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()


def added_in_some_cases(model, optimizer, loader, window, args):
    for number, (x, y) in enumerate(loader):
        out, code = model(x)
        loss = torch.zeros(1, device=x.device) + F.cross_entropy(out, y)
        if args.reconstructs:
            loss = loss + args.weight * F.mse_loss(code, x)
        loss.backward()  # expect: TL706
        if (number + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()


class Smoothed(nn.Module):
    def __init__(self, smoothing):
        super().__init__()
        self.confidence = 1.0 - smoothing
        self.smoothing = smoothing

    def forward(self, x, target):
        logs = F.log_softmax(x, dim=-1)
        of_class = -logs.gather(dim=-1, index=target.unsqueeze(1)).squeeze(1)
        of_all = -logs.mean(dim=-1)
        loss = self.confidence * of_class + self.smoothing * of_all
        return loss.mean()


def in_a_criterion(model, optimizer, loader, window):
    criterion = Smoothed(0.1)
    for number, (x, y) in enumerate(loader):
        criterion(model(x), y).backward()  # expect: TL706
        if (number + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()


def all_by_the_same(model, optimizer, loader, window, share):
    for number, (x, y) in enumerate(loader):
        out, code = model(x)
        loss = share * F.cross_entropy(out, y) + share * F.mse_loss(code, x)
        loss.backward()
        if (number + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()


def begun_with_nothing(model, optimizer, loader, window, share):
    for number, (x, y) in enumerate(loader):
        loss = torch.zeros(1, device=x.device)
        loss = loss + share * F.cross_entropy(model(x), y)
        loss.backward()
        if (number + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()


def one_is_divided(model, optimizer, loader, window, penalty):
    for number, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x), y) / window + 0.1 * penalty(model)
        loss.backward()
        if (number + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()


def weighed_as_a_whole(model, optimizer, loader, window, scale):
    for number, (x, y) in enumerate(loader):
        out, code = model(x)
        loss = scale * (F.cross_entropy(out, y) + 0.1 * F.mse_loss(code, x))
        loss.backward()
        if (number + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()
