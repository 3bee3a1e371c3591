import torch
from torch import nn

SCHEDULERS = {
    "cosine": torch.optim.lr_scheduler.CosineAnnealingLR,
    "step": torch.optim.lr_scheduler.StepLR,
}


def configure(model, name, **kwargs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = SCHEDULERS[name](optimizer, **kwargs)  # expect: TL710
    return optimizer, scheduler


def train(loader, epochs):
    model = nn.Linear(8, 2)
    optimizer, scheduler = configure(model, "cosine", T_max=epochs)
    for epoch in range(epochs):
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, scheduler.get_last_lr())
