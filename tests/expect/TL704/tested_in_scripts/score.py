"""The model comes from a function of another file."""

import torch
from network import built
from torch.utils.data import DataLoader


@torch.no_grad()
def main(path, dataset):
    device = torch.device("cuda")
    tower = built(device)
    missing, _ = tower.load_state_dict(torch.load(path, map_location=device)["model"], strict=False)
    assert not missing
    right = 0
    for images, labels in DataLoader(dataset, batch_size=64):
        right += (tower(images.to(device)).argmax(1) == labels.to(device)).sum().item()  # expect: TL704
    print(right / len(dataset))
