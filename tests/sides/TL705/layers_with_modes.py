"""Whether the mode matters to the model that is left in evaluation mode: what its class makes, and what it calls."""

import torch
import torch.nn.functional as F
from torch import nn


class WithDropout(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.drop = nn.Linear(8, 8), nn.Dropout(0.2)

    def forward(self, x):
        return self.drop(self.layer(x))


class WithDropoutOfNothing(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.drop = nn.Linear(8, 8), nn.Dropout(0.0)

    def forward(self, x):
        return self.drop(self.layer(x))


class WithDropoutOfNothingByKeyword(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.drop = nn.Linear(8, 8), nn.Dropout(p=0)

    def forward(self, x):
        return self.drop(self.layer(x))


class WithDropoutByKeyword(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.drop = nn.Linear(8, 8), nn.Dropout(p=0.5)

    def forward(self, x):
        return self.drop(self.layer(x))


class WithTheFunction(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        return F.dropout(self.layer(x), 0.5, self.training)


class WithTheFunctionOfNothing(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        return F.dropout(self.layer(x), 0.0, self.training)


class WithAHelper(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        return self.regular(self.layer(x))

    def regular(self, x):
        return F.dropout(x, 0.5, self.training)


class WithABlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = WithDropout()

    def forward(self, x):
        return self.block(x)


class WithAPlainBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Plain()

    def forward(self, x):
        return self.block(x)


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        return torch.relu(self.layer(x))


class PlainRecurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.cells = nn.LSTM(8, 8, num_layers=2)

    def forward(self, x):
        return self.cells(x)[0]


class RecurrentThatDrops(nn.Module):
    def __init__(self):
        super().__init__()
        self.cells = nn.LSTM(8, 8, num_layers=2, dropout=0.3)

    def forward(self, x):
        return self.cells(x)[0]


class RecurrentThatDropsNothing(nn.Module):
    def __init__(self):
        super().__init__()
        self.cells = nn.LSTM(8, 8, num_layers=2, dropout=0.0)

    def forward(self, x):
        return self.cells(x)[0]


class MadeByOthers(nn.Module):
    def __init__(self, make):
        super().__init__()
        self.layer = make(8)

    def forward(self, x):
        return self.layer(x)


def validate_dropout(net, held_out):
    net.eval()  # expect: TL705
    with torch.no_grad():
        return sum(net(x).mean().item() for x in held_out)


def with_dropout(loader, held_out):
    net = WithDropout()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(10):
        for x in loader:
            optimizer.zero_grad()
            net(x).mean().backward()
            optimizer.step()
        print(validate_dropout(net, held_out))


def with_dropout_of_nothing(loader, held_out):
    net = WithDropoutOfNothing()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(10):
        for x in loader:
            optimizer.zero_grad()
            net(x).mean().backward()
            optimizer.step()
        net.eval()
        with torch.no_grad():
            print(sum(net(x).mean().item() for x in held_out))


def with_dropout_of_nothing_by_keyword(loader, held_out):
    net = WithDropoutOfNothingByKeyword()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(10):
        for x in loader:
            optimizer.zero_grad()
            net(x).mean().backward()
            optimizer.step()
        net.eval()
        with torch.no_grad():
            print(sum(net(x).mean().item() for x in held_out))


def with_dropout_by_keyword(loader, held_out):
    net = WithDropoutByKeyword()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(10):
        for x in loader:
            optimizer.zero_grad()
            net(x).mean().backward()
            optimizer.step()
        net.eval()  # expect: TL705
        with torch.no_grad():
            print(sum(net(x).mean().item() for x in held_out))


def with_the_function(loader, held_out):
    net = WithTheFunction()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(10):
        for x in loader:
            optimizer.zero_grad()
            net(x).mean().backward()
            optimizer.step()
        net.eval()  # expect: TL705
        with torch.no_grad():
            print(sum(net(x).mean().item() for x in held_out))


def with_the_function_of_nothing(loader, held_out):
    net = WithTheFunctionOfNothing()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(10):
        for x in loader:
            optimizer.zero_grad()
            net(x).mean().backward()
            optimizer.step()
        net.eval()
        with torch.no_grad():
            print(sum(net(x).mean().item() for x in held_out))


def with_a_helper(loader, held_out):
    net = WithAHelper()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(10):
        for x in loader:
            optimizer.zero_grad()
            net(x).mean().backward()
            optimizer.step()
        net.eval()  # expect: TL705
        with torch.no_grad():
            print(sum(net(x).mean().item() for x in held_out))


def with_a_block(loader, held_out):
    net = WithABlock()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(10):
        for x in loader:
            optimizer.zero_grad()
            net(x).mean().backward()
            optimizer.step()
        net.eval()  # expect: TL705
        with torch.no_grad():
            print(sum(net(x).mean().item() for x in held_out))


def with_a_plain_block(loader, held_out):
    net = WithAPlainBlock()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(10):
        for x in loader:
            optimizer.zero_grad()
            net(x).mean().backward()
            optimizer.step()
        net.eval()
        with torch.no_grad():
            print(sum(net(x).mean().item() for x in held_out))


def recurrent(loader, held_out):
    net = PlainRecurrent()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(10):
        for x in loader:
            optimizer.zero_grad()
            net(x).mean().backward()
            optimizer.step()
        net.eval()
        with torch.no_grad():
            print(sum(net(x).mean().item() for x in held_out))


def recurrent_that_drops(loader, held_out):
    net = RecurrentThatDrops()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(10):
        for x in loader:
            optimizer.zero_grad()
            net(x).mean().backward()
            optimizer.step()
        net.eval()  # expect: TL705
        with torch.no_grad():
            print(sum(net(x).mean().item() for x in held_out))


def recurrent_that_drops_nothing(loader, held_out):
    net = RecurrentThatDropsNothing()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(10):
        for x in loader:
            optimizer.zero_grad()
            net(x).mean().backward()
            optimizer.step()
        net.eval()
        with torch.no_grad():
            print(sum(net(x).mean().item() for x in held_out))


def made_by_others(loader, held_out, make):
    net = MadeByOthers(make)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(10):
        for x in loader:
            optimizer.zero_grad()
            net(x).mean().backward()
            optimizer.step()
        net.eval()  # expect: TL705
        with torch.no_grad():
            print(sum(net(x).mean().item() for x in held_out))
