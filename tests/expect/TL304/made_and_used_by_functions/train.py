"""The loss is made in one function, and the backward pass is in another."""

import torch
from torch import nn


def loss_of(model, images, labels):
    return nn.functional.cross_entropy(model(images), labels)


def loss_with(model, images, state):
    return (model(images) - state).mean()


def take(loss):
    loss.backward(retain_graph=True)  # expect: TL304


def take_on(loss):
    loss.backward(retain_graph=True)


def train(loader):
    model = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for images, labels in loader:
        optimizer.zero_grad()
        loss = loss_of(model, images, labels)
        take(loss)
        optimizer.step()


def train_with_state(loader, state):
    model = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for images, _ in loader:
        optimizer.zero_grad()
        loss = loss_with(model, images, state)
        take_on(loss)
        optimizer.step()


def train_with_a_penalty(loader):
    model = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    penalty = loss_of(model, torch.zeros(1, 8), torch.zeros(1))
    for images, labels in loader:
        optimizer.zero_grad()
        loss = loss_of(model, images, labels) + penalty
        take_on(loss)
        optimizer.step()
