import argparse
import copy

import torch
from torch import nn


class Averaged:
    def __init__(self, net):
        self.net = copy.deepcopy(net)
        self.net.eval()


def accuracy(net, batches):
    right = 0
    with torch.no_grad():
        for inputs, targets in batches:
            net.eval()  # expect: TL705
            right += (net(inputs).argmax(1) == targets).sum()
    return right


def train(args, batches, held_out, net, averaged, optimizer):
    net.train()
    for _ in range(10):
        for inputs, targets in batches:
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(inputs), targets).backward()
            optimizer.step()
        if args.averaged:
            chosen = averaged.net
        else:
            chosen = net
        print(accuracy(chosen, held_out).item())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--averaged", action="store_true")
    args = parser.parse_args()
    net = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4), nn.Dropout(0.1))
    if args.averaged:
        averaged = Averaged(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    net.zero_grad()
    train(args, [], [], net, averaged, optimizer)


if __name__ == "__main__":
    main()
