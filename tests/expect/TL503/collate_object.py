"""An object puts the batches together, through a method of its own."""

import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch.nn.utils import rnn
from torch.utils.data import DataLoader


class Together:
    def __init__(self, filler=0):
        self.filler = filler

    def __call__(self, items):
        sounds, texts = zip(*items)
        return self.padded(sounds), self.padded(texts)

    def padded(self, sequences):
        return rnn.pad_sequence(sequences, True, self.filler)  # expect: TL503


def worker(rank, model, recordings):
    loader = DataLoader(recordings, 8, shuffle=True, drop_last=True, collate_fn=Together())
    optimizer = torch.optim.Adam(model.parameters())
    for sounds, texts in pl.MpDeviceLoader(loader, torch_xla.device()):
        model(sounds, texts).backward()
        optimizer.step()
        optimizer.zero_grad()
