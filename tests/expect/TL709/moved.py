"""Layers of the project that are moved to a device where they are made, and put into a model behind its optimizer."""

import torch
import torchvision
from torch import nn


class Mlp(nn.Module):
    def __init__(self, dim, classes):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(dim, dim), nn.GELU(), nn.Linear(dim, classes))

    def forward(self, x):
        return self.layers(x)


def train(model, loader, optimizer):
    for images, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(images), labels).backward()
        optimizer.step()


def main(args, loader, device):
    model = torchvision.models.resnet50(weights="DEFAULT").to(device)
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=args.lr)
    if args.mlp_head:
        model.fc = Mlp(2048, args.classes).to(device)  # expect: TL709
    train(model, loader, optimizer)


def on_gpu(loader, classes):
    net = torchvision.models.vit_b_16()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    net.heads = Mlp(768, classes).cuda().train()  # expect: TL709
    train(net, loader, optimizer)


def in_time(loader, classes):
    net = torchvision.models.vit_b_16()
    net.heads = Mlp(768, classes).cuda().train()
    train(net, loader, torch.optim.SGD(net.parameters(), lr=0.1))
