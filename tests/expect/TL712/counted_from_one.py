import torch
import torch.optim as optim
from torch import nn
from tqdm import tqdm


def train(context, model, loader):
    num_epochs = context["num_epochs"]
    optimizer = optim.Adam(model.parameters(), lr=context["lr"])
    scheduler = optim.lr_scheduler.CosineAnnealingLR(optimizer, num_epochs)
    for epoch in tqdm(range(1, num_epochs + 1), desc="Training"):
        model.train()
        num_steps = 0
        for i, batch in enumerate(loader):
            loss = nn.functional.mse_loss(model(batch[0]), batch[1])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            scheduler.step()  # expect: TL712
            num_steps += 1


def from_one(context, model, loader):
    num_epochs = context["num_epochs"]
    optimizer = optim.Adam(model.parameters(), lr=context["lr"])
    scheduler = optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=num_epochs)
    for epoch in range(1, num_epochs + 1):
        for batch in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(batch[0]), batch[1]).backward()
            optimizer.step()
            scheduler.step()  # expect: TL712


def per_epoch(context, model, loader):
    num_epochs = context["num_epochs"]
    optimizer = optim.Adam(model.parameters(), lr=context["lr"])
    scheduler = optim.lr_scheduler.CosineAnnealingLR(optimizer, num_epochs)
    for epoch in tqdm(range(1, num_epochs + 1)):
        for batch in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(batch[0]), batch[1]).backward()
            optimizer.step()
        scheduler.step()


def of_all_batches(context, model, loader):
    num_epochs = context["num_epochs"]
    optimizer = optim.Adam(model.parameters(), lr=context["lr"])
    scheduler = optim.lr_scheduler.CosineAnnealingLR(optimizer, num_epochs * len(loader))
    for epoch in tqdm(range(1, num_epochs + 1)):
        for batch in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(batch[0]), batch[1]).backward()
            optimizer.step()
            scheduler.step()
