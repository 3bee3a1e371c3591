"""What people are told to install knows no `weights`: facebookresearch/omnivore."""

from torchvision import models


def build():
    return models.resnet18(pretrained=True)
