"""Batches that are wrapped in a ``Variable``, as in hengyuan-hu/bottom-up-attention-vqa: it is the tensor itself."""

import torch
from torch import autograd
from torch.autograd import Variable
from torch.utils.data import DataLoader
from torchvision.datasets import ImageFolder


def train(model, optimizer, loader):
    for images, labels in loader:
        images = Variable(images).cuda()
        labels = Variable(labels, requires_grad=False).cuda()
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(images), labels).backward()
        optimizer.step()


def train_pairs(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        model(autograd.Variable(batch[0]).to("cuda")).sum().backward()
        optimizer.step()


def converted(model, optimizer, loader):
    """The memory that is copied is another one, which the loader does not pin."""
    for images, _ in loader:
        optimizer.zero_grad()
        model(Variable(images.double()).cuda()).sum().backward()
        optimizer.step()


def main(model, folder, optimizer):
    train(model, optimizer, DataLoader(ImageFolder(folder), 32, True, num_workers=8))  # expect: TL206
    train_pairs(model, optimizer, DataLoader(ImageFolder(folder), 64, True, num_workers=8))  # expect: TL206
    converted(model, optimizer, DataLoader(ImageFolder(folder), 16, True, num_workers=8))
