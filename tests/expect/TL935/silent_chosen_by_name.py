"""Options by which something is chosen from a module: whose members all are models, or optimizers."""

import argparse

import torch
import torchvision.models as models


def main(loader):
    parser = argparse.ArgumentParser()
    parser.add_argument("--arch", default="resnet18")
    parser.add_argument("--optimizer", default="SGD")
    parser.add_argument("--loss", default="CrossEntropyLoss")
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--epochs", type=int, default=90)
    args = parser.parse_args()
    model = models.__dict__[args.arch](weights=None)
    optimizer = torch.optim.__dict__[args.optimizer](model.parameters(), lr=args.lr)
    criterion = vars(torch.nn)[args.loss]()
    for _ in range(args.epochs):
        for images, labels in loader:
            optimizer.zero_grad()
            criterion(model(images), labels).backward()
            optimizer.step()


if __name__ == "__main__":
    main([])
