"""Devices that come through constructors, and methods that __getitem__ calls."""

import torch
from torch.utils.data import DataLoader, Dataset, random_split


class Features(Dataset):
    def __init__(self, waves, device="cuda:0"):
        self.waves, self.device = waves, device

    def spectrum(self, wave):
        window = torch.hann_window(400, device=self.device)  # expect: TL209
        return torch.stft(wave, 400, window=window)

    def __len__(self):
        return len(self.waves)

    def __getitem__(self, index):
        return self.spectrum(self.waves[index])


def main(waves):
    training, validation = random_split(Features(waves), [0.9, 0.1])
    first = DataLoader(training, batch_size=8, num_workers=4)
    return first, DataLoader(validation, batch_size=8)
