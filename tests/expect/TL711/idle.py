"""Training loops that somebody forgot to end with a step."""

import argparse

import torch
import torch.nn.functional as F
from torch import optim


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 2)

    def forward(self, x):
        return self.layer(x)


def train(args, model, device, loader, optimizer, epoch):
    model.train()
    for index, (data, target) in enumerate(loader):
        data, target = data.to(device), target.to(device)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(data), target)
        loss.backward()  # expect: TL711
        if index % args.log_interval == 0:
            print(epoch, loss.item())


def main(loader):
    args = argparse.ArgumentParser().parse_args()
    model = Net()
    optimizer = optim.Adadelta(model.parameters(), lr=args.lr)
    scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=args.gamma)
    for epoch in range(1, args.epochs + 1):
        train(args, model, "cpu", loader, optimizer, epoch)
        scheduler.step()


class Learner:
    def __init__(self, net, rate):
        self.net = net
        self.opt = optim.RMSprop(net.parameters(), lr=rate)

    def update(self, batch):
        self.opt.zero_grad()
        loss = self.net(batch).mean()
        loss.backward()  # expect: TL711
        return loss.item()

    def fit(self, loader):
        for batch in loader:
            self.update(batch)


def by_a_closure(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def closure(batch):
        optimizer.zero_grad()
        loss = model(batch).mean()
        loss.backward()  # expect: TL711
        return loss

    for batch in loader:
        print(closure(batch).item())


optimizer = torch.optim.Adam(Net().parameters())


def at_the_top_level(model, batches):
    for batch in batches:
        optimizer.zero_grad()
        model(batch).mean().backward()  # expect: TL711
