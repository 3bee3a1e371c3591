"""What computes the loss is a part of the forward pass, though its name is that of something that trains."""

import torch


def forgotten(net, engine, trainer, lr):
    updates = torch.optim.Adam(net.parameters(), lr=lr)
    scaler = torch.amp.GradScaler("cuda")
    for x, y in engine:
        with torch.autocast("cuda"):
            loss = trainer(net(x), y)
        updates.zero_grad()
        scaler.scale(loss).backward()
        updates.step()  # expect: TL403
        scaler.update()


def judged(trainer, x, y):
    return trainer.judge(x, y) + 1


def in_a_function(net, batches, trainer, lr):
    updates = torch.optim.Adam(net.parameters(), lr=lr)
    scaler = torch.amp.GradScaler("cuda")
    for x, y in batches:
        with torch.autocast("cuda"):
            loss = judged(trainer, net(x), y)
        updates.zero_grad()
        scaler.scale(loss).backward()
        updates.step()  # expect: TL403
        scaler.update()


def handed_the_model(net, batches, trainer, lr):
    """What is handed the model itself may do more than to compute."""
    updates = torch.optim.Adam(net.parameters(), lr=lr)
    scaler = torch.amp.GradScaler("cuda")
    for batch in batches:
        with torch.autocast("cuda"):
            loss = trainer(net, batch)
        updates.zero_grad()
        scaler.scale(loss).backward()
        updates.step()
        scaler.update()
