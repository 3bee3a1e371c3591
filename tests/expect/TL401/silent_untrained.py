"""What runs in float16 is not what is trained, or nothing is trained."""

import time

import torch
import torch.nn.functional as F


@torch.no_grad()
def features_of(backbone, x):
    with torch.autocast("cuda", dtype=torch.float16):
        return backbone(x)


def evaluate(model, loader):
    model.eval()
    total = 0.0
    with torch.inference_mode(), torch.autocast("cuda"):
        for x, y in loader:
            total += F.cross_entropy(model(x), y).item()
    return total


def frozen_backbone(backbone, head, optimizer, loader):
    for x, y in loader:
        loss = F.cross_entropy(head(features_of(backbone, x).float()), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def frozen_without_no_grad(backbone, head, optimizer, loader):
    backbone.requires_grad_(False)
    for x, y in loader:
        with torch.autocast("cuda"):
            features = backbone.encode(x)
        loss = F.cross_entropy(head(features.float()), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def teacher(teacher_model, student, optimizer, loader, divergence):
    for x in loader:
        with torch.no_grad(), torch.autocast("cuda"):
            wanted = teacher_model(x)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            got = student(x)
        loss = divergence(got, wanted)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def detached(model, probe, optimizer, loader):
    for x, y in loader:
        with torch.autocast("cuda"):
            hidden = model(x).detach()
        loss = F.mse_loss(probe(hidden.float()), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def switch_given(model, optimizer, loader, train):
    for x, y in loader:
        with torch.set_grad_enabled(False), torch.autocast("cuda"):
            warm = model(x)
        out = model(x + warm.float())
        loss = F.mse_loss(out, y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def loss_alone(model, criterion, optimizer, loader):
    for x, y in loader:
        output = model(x)
        with torch.autocast("cuda"):
            loss = criterion(output, y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def timed(model, batch):
    with torch.autocast("cuda"):
        loss = model(batch).sum()
    start = time.perf_counter()
    loss.backward()
    torch.cuda.synchronize()
    return time.perf_counter() - start


def attack(model, image, label, step):
    image.requires_grad_(True)
    with torch.autocast("cuda"):
        loss = F.cross_entropy(model(image), label)
    loss.backward()
    return image + step * image.grad.sign()


def validation_between(model, optimizer, loader, held_out):
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        with torch.no_grad():
            with torch.autocast("cuda"):
                for u, v in held_out:
                    loss = F.cross_entropy(model(u), v)
            print(loss.item())


def rehearse(model, loader, optimizer, half):
    """Looks for the batch that needs the most memory; what it computes is thrown away."""
    for x, y in loader:
        with torch.autocast("cuda", enabled=half):
            loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.zero_grad()


def train_scaled(model, loader, optimizer, half, keeper):
    for x, y in loader:
        with torch.autocast("cuda", enabled=half):
            loss = F.cross_entropy(model(x), y)
        keeper.scale(loss).backward()
        keeper.step(optimizer)
        optimizer.zero_grad()
        keeper.update()


def rehearse_with_steps(model, loader, optimizer, half):
    """The same, and the optimizer's own memory is part of it; the training itself is scaled."""
    for x, y in loader:
        with torch.autocast("cuda", enabled=half):
            loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def run(model, loader, optimizer, half, epochs):
    keeper = torch.amp.GradScaler("cuda", enabled=half)
    rehearse(model, loader, optimizer, half)
    rehearse_with_steps(model, loader, optimizer, half)
    for _ in range(epochs):
        train_scaled(model, loader, optimizer, half, keeper)
