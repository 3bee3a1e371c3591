"""Workers are made anew for each epoch; what is done to the dataset in between decides whether they have to be."""

import torch
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    def __init__(self, paths):
        self.paths, self.noise = paths, 0.0

    def set_noise(self, noise):
        self.noise = noise

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        return torch.load(self.paths[index], weights_only=True) + self.noise


def run_epoch(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).backward()
        optimizer.step()


def nothing(model, optimizer, paths, epochs):
    loader = DataLoader(Pictures(paths), batch_size=8, shuffle=True, num_workers=2)  # expect: TL211
    for _ in range(epochs):
        run_epoch(model, optimizer, loader)


def said_so(model, optimizer, paths, epochs):
    loader = DataLoader(Pictures(paths), batch_size=8, shuffle=True, num_workers=2, persistent_workers=False)  # expect: TL211
    for _ in range(epochs):
        run_epoch(model, optimizer, loader)


def kept(model, optimizer, paths, epochs):
    loader = DataLoader(Pictures(paths), batch_size=8, shuffle=True, num_workers=2, persistent_workers=True)
    for _ in range(epochs):
        run_epoch(model, optimizer, loader)


def of_a_setting(model, optimizer, paths, epochs, config):
    loader = DataLoader(Pictures(paths), batch_size=8, shuffle=True, num_workers=2, persistent_workers=config.keep)
    for _ in range(epochs):
        run_epoch(model, optimizer, loader)


def without_workers(model, optimizer, paths, epochs):
    loader = DataLoader(Pictures(paths), batch_size=8, shuffle=True, num_workers=0)
    for _ in range(epochs):
        run_epoch(model, optimizer, loader)


def train_epoch(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).backward()
        optimizer.step()


def with_some_workers(model, optimizer, paths, epochs, config):
    loader = DataLoader(Pictures(paths), batch_size=8, shuffle=True, num_workers=config.workers)
    for _ in range(epochs):
        train_epoch(model, optimizer, loader)


def in_one_epoch(model, optimizer, paths):
    loader = DataLoader(Pictures(paths), batch_size=8, shuffle=True, num_workers=2)
    train_epoch(model, optimizer, loader)


def noise(model, optimizer, paths, epochs):
    data = Pictures(paths)
    loader = DataLoader(data, batch_size=8, shuffle=True, num_workers=2)
    for epoch in range(epochs):
        data.set_noise(0.1 * epoch)
        train_epoch(model, optimizer, loader)


def noise_by_hand(model, optimizer, paths, epochs):
    data = Pictures(paths)
    loader = DataLoader(data, batch_size=8, shuffle=True, num_workers=2)
    for epoch in range(epochs):
        data.noise = 0.1 * epoch
        train_epoch(model, optimizer, loader)


def of_another(model, optimizer, paths, masks, epochs):
    other = Pictures(masks)
    loader = DataLoader(Pictures(paths), batch_size=8, shuffle=True, num_workers=2)  # expect: TL211
    for epoch in range(epochs):
        other.set_noise(0.1 * epoch)
        train_epoch(model, optimizer, loader)
    return other


def one_round(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).backward()
        optimizer.step()


def of_what_is_called_a_dataset(model, optimizer, paths, epochs, dataset):
    loader = DataLoader(Pictures(paths), batch_size=8, shuffle=True, num_workers=2)  # expect: TL211
    for epoch in range(epochs):
        dataset.advance(epoch)
        one_round(model, optimizer, loader)


def of_what_it_was_given(model, optimizer, epochs, pictures):
    loader = DataLoader(pictures, batch_size=8, shuffle=True, num_workers=2)
    for epoch in range(epochs):
        pictures.advance(epoch)
        one_round(model, optimizer, loader)


def an_attribute_of_what_is_called_a_dataset(model, optimizer, paths, epochs, dataset):
    loader = DataLoader(Pictures(paths), batch_size=8, shuffle=True, num_workers=2)  # expect: TL211
    for epoch in range(epochs):
        dataset.round = epoch
        one_round(model, optimizer, loader)


def an_attribute_of_something(model, optimizer, paths, epochs, progress):
    loader = DataLoader(Pictures(paths), batch_size=8, shuffle=True, num_workers=2)  # expect: TL211
    for epoch in range(epochs):
        progress.round = epoch
        one_round(model, optimizer, loader)


def of_its_own_loader(model, optimizer, paths, epochs):
    loader = DataLoader(Pictures(paths), batch_size=8, shuffle=True, num_workers=2)
    for epoch in range(epochs):
        loader.dataset.set_noise(0.1 * epoch)
        one_round(model, optimizer, loader)
