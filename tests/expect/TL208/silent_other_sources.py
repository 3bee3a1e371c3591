"""Samples that are drawn, taken from a queue, or divided by somebody else: dgl (pinsage), lightning (reinforce_learn), open_clip."""

import random

import datasets
import torch
import webdataset
from torch.utils.data import DataLoader, IterableDataset


class Walks(IterableDataset):
    def __init__(self, graph, size):
        self.graph, self.size = graph, size

    def __iter__(self):
        while True:
            heads = torch.randint(0, self.graph.nodes, (self.size,))
            for head in range(len(heads)):
                yield self.graph.walk(head)


class Replay(IterableDataset):
    def __init__(self, buffer, size=200):
        self.buffer, self.size = buffer, size

    def __iter__(self):
        for experience in random.sample(self.buffer, self.size):
            yield experience


class Queue(IterableDataset):
    def __init__(self, queue):
        self.queue = queue

    def __iter__(self):
        while (item := self.queue.get()) is not None:
            yield item


class Messages(IterableDataset):
    def __init__(self, socket, most):
        self.socket, self.most = socket, most

    def __iter__(self):
        for number in range(self.most):
            yield number, self.socket.recv(1024)


class Mapped(IterableDataset):
    def __init__(self, dataset, function):
        self.dataset, self.function = dataset, function

    def __iter__(self):
        for sample in self.dataset:
            yield self.function(sample)


class Steps(IterableDataset):
    def __init__(self, policy, steps):
        self.policy, self.steps = policy, steps

    def __iter__(self):
        for _ in range(self.steps):
            yield self.policy.act()


def loaders(graph, buffer, queue, socket, policy, shards):
    streamed = datasets.load_dataset("text", streaming=True)
    return [
        DataLoader(Walks(graph, 8), num_workers=4),
        DataLoader(Replay(buffer), num_workers=4),
        DataLoader(Queue(queue), num_workers=4),
        DataLoader(Messages(socket, 100), num_workers=4),
        DataLoader(Mapped(streamed, str), num_workers=4),
        DataLoader(Mapped(webdataset.WebDataset(shards), str), num_workers=4),
        DataLoader(Steps(policy, 100), num_workers=4),
        DataLoader(webdataset.WebDataset(shards), num_workers=4),
    ]
