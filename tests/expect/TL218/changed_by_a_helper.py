"""A helper that the epoch runs changes the dataset."""

from torch.utils.data import DataLoader, Dataset


class Curriculum(Dataset):
    def __init__(self, samples):
        self.samples = samples
        self.length = 16

    def set_epoch(self, epoch):
        self.length = 16 * (epoch + 1)

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, index):
        return self.samples[index].narrow(0, 0, self.length)


def begin(dataset, epoch):
    dataset.set_epoch(epoch)


def train(model, optimizer, samples, epochs):
    dataset = Curriculum(samples)
    loader = DataLoader(dataset, batch_size=8, num_workers=4, persistent_workers=True)  # expect: TL218
    for epoch in range(epochs):
        begin(dataset, epoch)
        for batch in loader:
            optimizer.zero_grad()
            model(batch).backward()
            optimizer.step()


def train_with_new_workers(model, optimizer, samples, epochs):
    dataset = Curriculum(samples)
    loader = DataLoader(dataset, batch_size=8, num_workers=4)
    for epoch in range(epochs):
        begin(dataset, epoch)
        for batch in loader:
            optimizer.zero_grad()
            model(batch).backward()
            optimizer.step()
