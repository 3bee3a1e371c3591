"""The project runs with torchvision 0.9, too, as thuml's does."""

from torchvision import models


def build():
    return models.resnet18(pretrained=True)
