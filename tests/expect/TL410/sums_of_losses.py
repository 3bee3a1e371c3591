"""Several losses that are summed, several outputs of a model: each is judged by itself."""

import torch
from torch import nn


class Auxiliary(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3)
        self.main = nn.Linear(8, classes)
        self.side = nn.Linear(8, classes)
        self.act = nn.Softmax(dim=1)

    def forward(self, x):
        x = self.stem(x).mean(dim=(2, 3))
        return self.act(self.main(x)), self.side(x)  # expect: TL410


def train(loader, classes):
    net = Auxiliary(classes).cuda()
    criterion = nn.CrossEntropyLoss().cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        main, side = net(x)
        loss = criterion(main, y) + 0.4 * criterion(side, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def boxes_and_classes(net, loader, weight):
    for x, y, boxes in loader:
        scores, where = net(x)
        total = 0
        total += nn.functional.cross_entropy(input=nn.functional.softmax(scores, -1), target=y)  # expect: TL410
        total += weight * nn.functional.smooth_l1_loss(where, boxes)
        total.backward()
