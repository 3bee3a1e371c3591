"""A script that trains at its top level: its schedule is nobody else's, and nobody steps it."""

import torch
from data import load
from models import Net

model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 30)  # expect: TL710
criterion = torch.nn.CrossEntropyLoss()
rates = []

for epoch in range(100):
    for images, labels in load("train"):
        optimizer.zero_grad()
        criterion(model(images), labels).backward()
        optimizer.step()
    rates.append(scheduler.get_last_lr())
    torch.save(model.state_dict(), f"model_{epoch}.pt")
