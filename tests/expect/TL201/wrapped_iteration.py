"""The loader does not stand bare after ``in``."""

import itertools

import torch
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler
from tqdm import tqdm


class Prefetcher:
    """Copies the next batch to the GPU on a side stream while the current one is used."""

    def __init__(self, loader, device):
        self.loader = loader
        self.device = device

    def __len__(self):
        return len(self.loader)

    def __iter__(self):
        stream = torch.cuda.Stream()
        waiting = None
        for batch in self.loader:
            with torch.cuda.stream(stream):
                coming = batch.to(self.device, non_blocking=True)
            if waiting is not None:
                yield waiting
            torch.cuda.current_stream().wait_stream(stream)
            coming.record_stream(torch.cuda.current_stream())
            waiting = coming
        if waiting is not None:
            yield waiting


def on_device(batches, device):
    for batch in batches:
        yield batch.to(device, non_blocking=True)


def advance(model, optimizer, batch):
    loss = model(batch).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def make(dataset):
    return DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset), pin_memory=True)


def with_enumerate(dataset, model, optimizer):
    loader = make(dataset)
    for epoch in range(5):  # expect: TL201
        for i, batch in enumerate(loader):
            advance(model, optimizer, batch)


def with_progress_bar(dataset, model, optimizer):
    loader = make(dataset)
    for epoch in tqdm(range(5), desc="epochs"):  # expect: TL201
        for batch in tqdm(loader, desc=f"epoch {epoch}", leave=False):
            advance(model, optimizer, batch)


def with_named_bar(dataset, model, optimizer):
    loader = make(dataset)
    for epoch in range(5):  # expect: TL201
        bar = tqdm(enumerate(loader), total=len(loader))
        for i, batch in bar:
            advance(model, optimizer, batch)
            bar.set_postfix(step=i)


def with_slice(dataset, model, optimizer):
    loader = make(dataset)
    for epoch in itertools.count():  # expect: TL201
        for batch in itertools.islice(loader, 100):
            advance(model, optimizer, batch)


def with_generator(dataset, model, optimizer, device):
    loader = make(dataset)
    for epoch in range(5):  # expect: TL201
        for batch in on_device(loader, device):
            advance(model, optimizer, batch)


def with_prefetcher(dataset, model, optimizer, device):
    loader = make(dataset)
    for epoch in range(5):  # expect: TL201
        for batch in Prefetcher(loader, device):
            advance(model, optimizer, batch)


def all_told(dataset, model, optimizer, device):
    loader = make(dataset)
    batches = Prefetcher(loader, device)
    for epoch in tqdm(range(5)):
        loader.sampler.set_epoch(epoch)
        for i, batch in enumerate(batches):
            advance(model, optimizer, batch)
