"""A block without gradients elsewhere in the function says nothing about what is computed outside it."""

import torch
import torch.nn.functional as F

model = torch.nn.Linear(8, 2)
optimizer = torch.optim.Adam(model.parameters())


def fit(loader, held_out, epochs):
    for _ in range(epochs):
        total = 0.0
        model.train()
        for x, y in loader:
            loss = F.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss * len(x)  # expect: TL302
        model.eval()
        with torch.no_grad():
            worst = max(F.cross_entropy(model(x), y) for x, y in held_out)
        print(total, worst)


def teacher_first(teacher, loader, weight):
    mean = 0.0
    for x, y in loader:
        with torch.no_grad():
            wanted = teacher(x)
        out = model(x)
        loss = F.mse_loss(out, wanted) + weight * F.cross_entropy(out, y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        mean = mean + loss / len(loader)  # expect: TL302
    return mean


def computed_without_gradients(loader):
    total, worst = 0.0, 0.0
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        with torch.no_grad():
            weighted = loss * len(x)
            worst += loss / 2
        total += weighted
    return total, worst


def switched_off_and_on(loader):
    total = 0.0
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        with torch.inference_mode():
            scaled = loss * 100
            print(scaled)
        total = total + scaled
    return total
