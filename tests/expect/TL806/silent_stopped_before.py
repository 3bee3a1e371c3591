import torch


def train_epoch(model, loader, optimizer):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).sum().backward()
        optimizer.step()


def main(model, loader, optimizer, epochs, example):
    prof = torch.profiler.profile(record_shapes=True)
    prof.start()
    model(example).sum().backward()
    prof.stop()
    optimizer.zero_grad()
    for _ in range(epochs):
        train_epoch(model, loader, optimizer)
