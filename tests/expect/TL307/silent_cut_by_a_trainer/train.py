"""Each piece of a long recording is a step of its own."""

import torch
from net import Listener


def main(recordings, criterion):
    net = Listener(80)
    optimizer = torch.optim.Adam(net.parameters())
    for pieces in recordings:
        for x, y in pieces:
            net.truncate()
            loss = criterion(net(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
