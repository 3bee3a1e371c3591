"""What moves the batch is a function that the loop hands it to."""

from torch.utils.data import DataLoader
from torchvision.datasets import ImageFolder


def to_gpu(images, labels):
    return images.to("cuda"), labels.to("cuda", non_blocking=True)  # expect: TL210


def weights_to_gpu(weights):
    return weights.to("cuda")


def train(model, optimizer, weights):
    loader = DataLoader(ImageFolder("images"), batch_size=64, num_workers=8, shuffle=True, pin_memory=True)
    for images, labels in loader:
        images, labels = to_gpu(images, labels)
        optimizer.zero_grad()
        (model(images, labels) * weights_to_gpu(weights)).mean().backward()
        optimizer.step()
