"""Workers that are seeded alike in every epoch, by a function, a lambda, a partial, a method, a helper; and right ones."""

import random
from functools import partial

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, get_worker_info

SEED = 1


class Noisy(Dataset):
    def __init__(self, signals):
        self.signals = signals

    def __len__(self):
        return len(self.signals)

    def __getitem__(self, index):
        return self.signals[index] + np.random.normal(0, 0.1, size=16)


def numbered(worker_id):
    np.random.seed(42 + worker_id)  # expect: TL213


def by_rank(worker_id, num_workers, rank, seed):
    worker_seed = num_workers * rank + worker_id + seed
    random.seed(worker_seed)
    np.random.seed(worker_seed)  # expect: TL213


def seed_all(seed):
    random.seed(seed)
    np.random.seed(seed)  # expect: TL213
    torch.manual_seed(seed)


def by_helper(worker_id):
    seed_all(SEED + worker_id)


class Data:
    def __init__(self, signals, seed=0):
        self.signals, self.seed, self.epoch = signals, seed, 0

    def set_epoch(self, epoch):
        self.epoch = epoch

    def _alike(self, worker_id):
        np.random.seed(self.seed)  # expect: TL213

    def _by_epoch(self, worker_id):
        np.random.seed(self.seed + 1000 * self.epoch + worker_id)

    def loaders(self):
        alike = DataLoader(Noisy(self.signals), shuffle=True, num_workers=2, worker_init_fn=self._alike)
        by_epoch = DataLoader(Noisy(self.signals), shuffle=True, num_workers=2, worker_init_fn=self._by_epoch)
        return alike, by_epoch


def wrong(args, signals):
    first = DataLoader(Noisy(signals), shuffle=True, num_workers=4, worker_init_fn=numbered)
    second = DataLoader(
        Noisy(signals),
        shuffle=True,
        num_workers=args.workers,
        worker_init_fn=lambda worker_id: np.random.seed(args.seed + worker_id),  # expect: TL213
    )
    init = partial(by_rank, num_workers=args.workers, rank=args.rank, seed=args.seed) if args.seed is not None else None
    third = DataLoader(Noisy(signals), shuffle=True, num_workers=args.workers, worker_init_fn=init)
    fourth = DataLoader(Noisy(signals), shuffle=True, num_workers=2, worker_init_fn=by_helper)
    return first, second, third, fourth, Data(signals).loaders()


def given(worker_id):
    worker_seed = torch.initial_seed() % 2**32
    np.random.seed(worker_seed)


def asked(worker_id):
    np.random.seed(get_worker_info().seed % 2**32)


def before(worker_id):
    np.random.seed(np.random.get_state()[1][0] + worker_id)


def once(worker_id):
    np.random.seed(worker_id)


def right(signals, epochs):
    yield DataLoader(Noisy(signals), shuffle=True, num_workers=2, worker_init_fn=given)
    yield DataLoader(Noisy(signals), shuffle=True, num_workers=2, worker_init_fn=asked)
    yield DataLoader(Noisy(signals), shuffle=True, num_workers=2, worker_init_fn=before)
    yield DataLoader(Noisy(signals), shuffle=True, num_workers=2, worker_init_fn=once, persistent_workers=True)
    yield DataLoader(Noisy(signals), num_workers=2, worker_init_fn=once)
    for epoch in range(epochs):
        yield DataLoader(
            Noisy(signals), shuffle=True, num_workers=2, worker_init_fn=lambda worker_id: np.random.seed(10 * epoch + worker_id)
        )
