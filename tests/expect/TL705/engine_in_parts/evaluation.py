"""An evaluation that anybody may call."""

import torch


@torch.no_grad()
def evaluate(net, loader, device):
    net.eval()  # expect: TL705
    right = total = 0
    for images, labels in loader:
        right += (net(images.to(device)).argmax(1) == labels.to(device)).sum().item()
        total += len(labels)
    return right / total
