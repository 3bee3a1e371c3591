"""Libraries that pad, repeat or draw anew."""

import torch
import torch.distributed as dist
import webdataset
from accelerate import Accelerator, PartialState
from datasets import load_dataset
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader


def prepared(net, data, optimizer):
    accelerator = Accelerator()
    model, optimizer, loader = accelerator.prepare(net, optimizer, DataLoader(data, batch_size=8))
    for batch in loader:
        accelerator.backward(model(batch))
        optimizer.step()
        optimizer.zero_grad()


def prepared_and_joined(net, data, optimizer):
    accelerator = Accelerator(even_batches=False)
    model, optimizer, loader = accelerator.prepare(net, optimizer, DataLoader(data, batch_size=8))
    with accelerator.join_uneven_inputs([model]):
        for batch in loader:
            accelerator.backward(model(batch))
            optimizer.step()
            optimizer.zero_grad()


def padded(texts, encode):
    accelerator = Accelerator()
    with accelerator.split_between_processes(texts, apply_padding=True) as mine:
        for text in mine:
            accelerator.gather(encode(text))


def generated(prompts, pipeline):
    state = PartialState()
    images = []
    with state.split_between_processes(prompts) as mine:
        for prompt in mine:
            images.append(pipeline(prompt))
    state.wait_for_everyone()
    return images


def epochs_of_a_stream(net, urls):
    data = webdataset.WebDataset(urls, nodesplitter=webdataset.split_by_node).shuffle(100).with_epoch(1000)
    model = DistributedDataParallel(net)
    for x, y in DataLoader(data, batch_size=8):
        torch.nn.functional.cross_entropy(model(x), y).backward()


def resampled(net, urls):
    data = webdataset.WebDataset(urls, resampled=True, nodesplitter=webdataset.split_by_node)
    model = DistributedDataParallel(net)
    for x, y in webdataset.WebLoader(data, batch_size=8):
        torch.nn.functional.cross_entropy(model(x), y).backward()


def repeated(net, steps):
    data = load_dataset("imdb", split="train", streaming=True).shard(dist.get_world_size(), dist.get_rank()).repeat(None)
    model = DistributedDataParallel(net)
    for batch in DataLoader(data, batch_size=8):
        model(batch)["loss"].backward()


def random_batches(net, tokens, steps, block):
    model = DistributedDataParallel(net)
    for _ in range(steps):
        at = torch.randint(len(tokens) - block, (8,))
        x = torch.stack([tokens[i : i + block] for i in at])
        model(x).sum().backward()
