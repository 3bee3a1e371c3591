"""Evaluates every so many iterations, and calls train() once, above all."""

import torch
from evaluation import evaluate
from torch import nn


def main(loader, valid_loader, device, most):
    net = nn.Sequential(
        nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dropout(), nn.Linear(8, 10)
    ).to(device)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    criterion = nn.CrossEntropyLoss()
    net.train()
    iteration = 0
    while iteration < most:
        for images, labels in loader:
            loss = criterion(net(images.to(device)), labels.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            iteration += 1
            if iteration % 500 == 0:
                print(iteration, evaluate(net, valid_loader, device))
