"""A published data set, divided anew by each process."""

import datasets
import torch.distributed as dist
from accelerate import Accelerator
from datasets import load_dataset
from datasets.distributed import split_dataset_by_node
from torch.utils.data import DataLoader


def divided(net, tokenizer):
    accelerator = Accelerator()
    raw = load_dataset("stories", split="train").map(tokenizer, batched=True)
    parts = raw.train_test_split(test_size=0.1)  # expect: TL215
    feed = DataLoader(parts["train"], shuffle=True, batch_size=8)
    checks = DataLoader(parts["test"], batch_size=8)
    return accelerator.prepare(net, feed, checks)


def mixed():
    stories = datasets.load_dataset("stories", split="train", streaming=True).shuffle(buffer_size=1000)  # expect: TL215
    return split_dataset_by_node(stories, rank=dist.get_rank(), world_size=dist.get_world_size())


def divided_alike(net, tokenizer):
    accelerator = Accelerator()
    raw = load_dataset("stories", split="train").map(tokenizer, batched=True)
    parts = raw.train_test_split(test_size=0.1, seed=7)
    feed = DataLoader(parts["train"], shuffle=True, batch_size=8)
    return accelerator.prepare(net, feed, DataLoader(parts["test"], batch_size=8))


def mixed_alike():
    stories = load_dataset("stories")["train"].shuffle(seed=7)
    return split_dataset_by_node(stories, rank=dist.get_rank(), world_size=dist.get_world_size())


def not_mixed():
    stories = load_dataset("stories")["train"]
    return stories.shard(num_shards=dist.get_world_size(), index=dist.get_rank()).shuffle()
