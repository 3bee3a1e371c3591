"""Data that is only iterated, split by rank: each rank has as much as it happens to have."""

import os

import torch
import torch.distributed as dist
import webdataset
from accelerate import Accelerator
from accelerate.utils import DataLoaderConfiguration
from datasets import load_dataset
from datasets.distributed import split_dataset_by_node
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, IterableDataset


class Lines(IterableDataset):
    def __init__(self, path):
        self.path = path
        self.rank = dist.get_rank()
        self.world_size = dist.get_world_size()

    def __iter__(self):
        with open(self.path) as lines:
            for number, line in enumerate(lines):
                if number % self.world_size == self.rank:
                    yield line.strip()


def of_lines(net, path, optimizer):
    model = DistributedDataParallel(net)
    for batch in DataLoader(Lines(path), batch_size=8):  # expect: TL109
        model(batch).sum().backward()
        optimizer.step()
        optimizer.zero_grad()


class Shards(IterableDataset):
    def __init__(self, shards):
        rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
        self.shards = sorted(shards)[rank::world]

    def __iter__(self):
        info = torch.utils.data.get_worker_info()
        shards = self.shards if info is None else self.shards[info.id :: info.num_workers]
        for shard in shards:
            yield from torch.load(shard)


def of_shards(net, shards, optimizer):
    model = DistributedDataParallel(net)
    loader = DataLoader(Shards(shards), batch_size=8, num_workers=2)
    for epoch in range(3):
        for batch in loader:  # expect: TL109
            model(batch).sum().backward()
            optimizer.step()
            optimizer.zero_grad()


class Lopsided(IterableDataset):
    def __init__(self, total):
        self.total = total

    def __iter__(self):
        if dist.get_rank() == 0:
            count = self.total // dist.get_world_size()
        else:
            count = self.total // dist.get_world_size() + 5
        for _ in range(count):
            yield torch.rand(3)


def of_numbers(net):
    model = DistributedDataParallel(net)
    for batch in DataLoader(Lopsided(100), batch_size=4):  # expect: TL109
        model(batch).mean().backward()


def of_datasets(net, optimizer):
    data = load_dataset("allenai/c4", "en", split="train", streaming=True)
    data = split_dataset_by_node(data, rank=dist.get_rank(), world_size=dist.get_world_size())
    data = data.map(len).shuffle(buffer_size=1000)
    model = DistributedDataParallel(net)
    for batch in DataLoader(data, batch_size=8):  # expect: TL109
        model(batch).loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def of_a_shard(net, optimizer, rank, world_size):
    data = load_dataset("imdb", split="train").shard(num_shards=world_size, index=rank)
    model = DistributedDataParallel(net)
    for batch in DataLoader(data, batch_size=8, shuffle=True):  # expect: TL109
        model(batch)["loss"].backward()
        optimizer.step()
        optimizer.zero_grad()


def of_tars(net, urls):
    data = webdataset.WebDataset(urls, nodesplitter=webdataset.split_by_node).shuffle(100).decode("pil").to_tuple("jpg", "cls")
    model = DistributedDataParallel(net)
    for x, y in DataLoader(data, batch_size=8):  # expect: TL109
        torch.nn.functional.cross_entropy(model(x), y).backward()


def told_not_to_even_out(net, data, optimizer):
    accelerator = Accelerator(dataloader_config=DataLoaderConfiguration(even_batches=False))
    model, optimizer, loader = accelerator.prepare(net, optimizer, DataLoader(data, batch_size=8))
    for batch in loader:  # expect: TL109
        accelerator.backward(model(batch))
        optimizer.step()
        optimizer.zero_grad()


def between(texts, encode):
    accelerator = Accelerator()
    with accelerator.split_between_processes(texts) as mine:
        for text in mine:  # expect: TL109
            accelerator.gather(encode(text))


class Packed(IterableDataset):
    """Sequences of one length, cut from a rank's files: how many there are depends on what is in the files."""

    def __init__(self, files, tokens_of, length):
        self.files, self.tokens_of, self.length = files, tokens_of, length

    def __iter__(self):
        rank, world = dist.get_rank(), dist.get_world_size()
        waiting = []
        for number, file in enumerate(self.files):
            if number % world != rank:
                continue
            waiting.extend(self.tokens_of(file))
            while len(waiting) >= self.length:
                yield torch.tensor(waiting[: self.length])
                waiting = waiting[self.length :]


def of_sequences(net, files, tokens_of):
    model = DistributedDataParallel(net)
    for batch in DataLoader(Packed(files, tokens_of, 1024), batch_size=4):  # expect: TL109
        model(batch).sum().backward()
