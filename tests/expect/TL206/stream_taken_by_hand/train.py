"""The iterator of the loader is made before the loop, whose rounds take the next batch of it."""

from torch.utils.data import DataLoader
from torchvision.datasets import ImageFolder


def train(model, optimizer, steps):
    loader = DataLoader(ImageFolder("images"), batch_size=64, num_workers=8, shuffle=True)  # expect: TL206
    batches = iter(loader)
    for _ in range(steps):
        images, labels = next(batches)
        optimizer.zero_grad()
        model(images.to("cuda", non_blocking=True), labels.to("cuda", non_blocking=True)).mean().backward()
        optimizer.step()
