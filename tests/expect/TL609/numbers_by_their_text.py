"""What a name says before a number, or how the number is written, tells that it is one."""

import glob
import os
from pathlib import Path

import torch


def write(folder, state, x):
    torch.save(state, Path(folder) / f"epoch_{x}.pth")


def last(folder):
    return sorted(Path(folder).glob("epoch_*.pth"))[-1]  # expect: TL609


def written(folder, state, x):
    torch.save(state, os.path.join(folder, "weights.%d.bin" % x))


def newest(folder):
    return max(glob.glob(f"{folder}/weights.*.bin"))  # expect: TL609


def padded(folder, state, x):
    torch.save(state, f"{folder}/part-{x:06d}.pkl")


def newest_padded(folder):
    return max(glob.glob(f"{folder}/part-*.pkl"))


def by_name(folder, state, x):
    torch.save(state, f"{folder}/model-{x}.tar")


def any_by_name(folder):
    return max(glob.glob(f"{folder}/model-*.tar"))


def train(net, samples):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    for batch in samples:
        sgd.zero_grad()
        net(batch).mean().backward()
        sgd.step()
