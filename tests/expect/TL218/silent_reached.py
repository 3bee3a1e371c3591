"""What workers see: shared memory, what they work out themselves, workers that begin anew."""

import torch
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __init__(self, images):
        self.images = images
        self.epoch = 0
        self.shared = torch.zeros(1).share_memory_()

    def set_epoch(self, epoch):
        self.shared[0] = epoch

    def count(self):
        self.epoch = self.epoch + 1

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        self.epoch = int(self.shared[0])
        return self.images[index] * self.epoch


def one_epoch(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).backward()
        optimizer.step()


def shared(model, optimizer, images, epochs):
    dataset = Images(images)
    loader = DataLoader(dataset, num_workers=4, persistent_workers=True)
    for epoch in range(epochs):
        dataset.set_epoch(epoch)
        dataset.count()
        one_epoch(model, optimizer, loader)
