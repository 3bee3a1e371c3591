"""No sampler is needed where the dataset is a part already."""

import torch.distributed as dist
from collections_of import Pages, Part, Rows, Stream
from datasets import load_from_disk
from datasets.distributed import split_dataset_by_node
from torch.distributed.algorithms.join import Join
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Subset


def learn(net, loader, optimizer):
    with Join([net]):
        for batch in loader:
            net(batch).mean().backward()
            optimizer.step()
            optimizer.zero_grad()


def all_kinds(net, optimizer, rows):
    rank, world = dist.get_rank(), dist.get_world_size()
    net = DistributedDataParallel(net)
    learn(net, DataLoader(Part(rows, rank, world), batch_size=8, shuffle=True), optimizer)
    learn(net, DataLoader(Pages(rows), batch_size=8, shuffle=True), optimizer)
    learn(net, DataLoader(Stream(rows), batch_size=8), optimizer)
    learn(net, DataLoader(Subset(Rows(rows), range(rank, len(rows), world)), batch_size=8, shuffle=True), optimizer)
    mine = [row for number, row in enumerate(rows) if number % world == rank]
    learn(net, DataLoader(Rows(mine), batch_size=8, shuffle=True), optimizer)


def of_a_library(net, optimizer):
    net = DistributedDataParallel(net)
    stories = split_dataset_by_node(load_from_disk("stories"), rank=dist.get_rank(), world_size=dist.get_world_size())
    learn(net, DataLoader(stories, batch_size=8, shuffle=True), optimizer)
    poems = load_from_disk("poems").shard(num_shards=dist.get_world_size(), index=dist.get_rank())
    learn(net, DataLoader(poems, batch_size=8, shuffle=True), optimizer)


def cut_later(net, optimizer, rows):
    net = DistributedDataParallel(net)
    data = Rows(rows)
    data.rows = data.rows[dist.get_rank() :: dist.get_world_size()]
    learn(net, DataLoader(data, batch_size=8, shuffle=True), optimizer)
