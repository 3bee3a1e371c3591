"""The pass is in a helper, the model of a library behind a wrapper."""

import torch
import torchvision
from torch.utils.data import DataLoader


def measured(network, loader):
    total = 0.0
    with torch.inference_mode():
        for images, labels in loader:
            total += torch.nn.functional.cross_entropy(network(images), labels).item()  # expect: TL704
    return total / len(loader)


if __name__ == "__main__":
    network = torch.nn.DataParallel(torchvision.models.resnet18(num_classes=10)).cuda()
    network.load_state_dict(torch.load("best.pt"))
    print(measured(network, DataLoader([], batch_size=8)))
