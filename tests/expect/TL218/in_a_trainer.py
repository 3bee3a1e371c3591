"""A trainer switches augmentations off for the last epochs, as trainers of detectors do."""

from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __init__(self, images):
        self.images, self.mosaic = images, True

    def close(self, on):
        self.mosaic = on

    def load(self, index):
        return self.images[index] if not self.mosaic else self.images[index - 1] + self.images[index]

    def __getitem__(self, index):
        return self.load(index)


class Trainer:
    def __init__(self, model, optimizer, images):
        self.model, self.optimizer = model, optimizer
        self.data = Images(images)
        options = dict(num_workers=4, persistent_workers=True)
        self.loader = DataLoader(self.data, batch_size=8, **options)  # expect: TL218

    def one_epoch(self):
        for batch in self.loader:
            self.optimizer.zero_grad()
            self.model(batch).backward()
            self.optimizer.step()

    def fit(self, epochs):
        for epoch in range(epochs):
            self.data.close(epoch < epochs - 15)
            self.one_epoch()
