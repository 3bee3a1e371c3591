"""Graphs that are kept, and used once."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torchvision.models import resnet18


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.conv = nn.Conv2d(width, width, 3, padding=1)
        self.norm = nn.BatchNorm2d(width)

    def forward(self, x):
        return F.relu(self.norm(self.conv(x))) + x


class Classifier(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.block = Block(16)
        self.head = nn.Linear(16, classes)

    def forward(self, x):
        return self.head(self.block(x).mean((2, 3)))


def images(loader, epochs):
    net = Classifier(10)
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(epochs):
        for data, target in loader:
            optimizer.zero_grad()
            logits = net(data.cuda())
            loss = F.cross_entropy(logits, target.cuda())
            loss.backward(retain_graph=True)  # expect: TL304
            optimizer.step()


def pretrained(loader):
    model = resnet18(weights="DEFAULT")
    loss_function = nn.MSELoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for batch in loader:
        loss = loss_function(model(batch["image"]), batch["target"]) / 4
        loss.backward(retain_graph=True)  # expect: TL304
        optimizer.step()
        optimizer.zero_grad()


def each_of_several_its_own(loader, optimizer):
    first, second = nn.Linear(8, 8), nn.Linear(8, 8)
    for x, y in loader:
        losses = [nn.functional.mse_loss(first(x), y), nn.functional.l1_loss(second(x), y)]
        for loss in losses:
            loss.backward(retain_graph=True)  # expect: TL304
        optimizer.step()
        optimizer.zero_grad()
