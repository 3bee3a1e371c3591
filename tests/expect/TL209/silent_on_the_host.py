"""Tensors of workers that stay on the host, and such that are made before there are workers."""

import torch
from torch.utils.data import DataLoader, Dataset


class Features(Dataset):
    def __init__(self, waves, device="cpu"):
        self.waves, self.device = waves, torch.device(device)
        self.window = torch.hann_window(400, device="cuda").cpu()

    def to(self, place):
        self.place = place
        return self

    def __getitem__(self, index):
        return torch.stft(self.waves[index].to(self.device), 400, window=self.window.to("cpu"))


class Model:
    def cuda(self):
        return self

    def __call__(self, samples):
        return torch.stack(samples)


def main(model, waves):
    loader = DataLoader(Features(waves), batch_size=8, num_workers=4, collate_fn=Model().cuda())
    for batch in loader:
        model(batch.to("cuda"))
