"""How many items ranks 0 to 3 get of what statements and libraries make: lists that are filled, generators, objects, loaders."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import NamedTuple

from tests.spmd.test_shards import all_counts

IMPORTS = """\
import numpy as np
import torch
import webdataset as wds
from accelerate import Accelerator
from datasets.distributed import split_dataset_by_node
from torch.utils.data import (
    BatchSampler, DataLoader, Dataset, DistributedSampler, IterableDataset, RandomSampler, Sampler, SequentialSampler, Subset,
    SubsetRandomSampler,
)
"""


class Case(NamedTuple):
    """How items are made of ``a`` and ``b``, how many of them ranks get (None: equally many), what the loop goes over."""

    name: str
    expected: str | None
    body: str
    items: str = "x"


CASES = [
    Case(
        "filled by one loop",
        "253, 252, 252 and 252",
        """
        x = []
        for i in range(rank, len(a), world):
            x.append(a[i])
    """,
    ),
    Case(
        "filled twice in a round",
        "506, 504, 504 and 504",
        """
        x = []
        for i in a[rank::world]:
            x.append(i)
            x.append(i)
    """,
    ),
    Case(
        "filled with one more",
        "254, 253, 253 and 253",
        """
        x = [0]
        x = []
        for i in a[rank::world]:
            x.append(i)
        x.append(0)
    """,
    ),
    Case(
        "filled by extend",
        "253, 252, 252 and 252",
        """
        x = []
        x.extend(a[rank::world])
    """,
    ),
    Case(
        "filled by a test",
        "253, 252, 252 and 252",
        """
        x = []
        for i, y in enumerate(a):
            if i % world == rank:
                x.append(y)
    """,
    ),
    Case(
        "filled by continue",
        "253, 252, 252 and 252",
        """
        x = []
        for i, y in enumerate(a):
            if i % world != rank:
                continue
            x.append(y)
    """,
    ),
    Case(
        "filled by both arms",
        None,
        """
        x = []
        for i, y in enumerate(a):
            if i % world == rank:
                x.append(y)
            else:
                x.append(0)
    """,
    ),
    Case(
        "filled by the else",
        "253, 252, 252 and 252",
        """
        x = []
        for i, y in enumerate(a):
            if i % world != rank:
                pass
            else:
                x.append(y)
    """,
    ),
    Case(
        "filled under a with",
        "253, 252, 252 and 252",
        """
        x = []
        with open('f') as f:
            for y in a[rank::world]:
                x.append(y)
    """,
    ),
    Case(
        "filled under a try",
        "253, 252, 252 and 252",
        """
        x = []
        try:
            for y in a[rank::world]:
                x.append(y)
        finally:
            pass
    """,
    ),
    Case(
        "filled until",
        None,
        """
        x = []
        for y in a[rank::world]:
            if y:
                break
            x.append(y)
    """,
    ),
    Case(
        "filled by loop in loop",
        "506, 504, 504 and 504",
        """
        x = []
        for y in a[rank::world]:
            for z in (1, 2):
                x.append(y)
    """,
    ),
    Case(
        "filled where all alike",
        None,
        """
        x = []
        for y in a:
            x.append(y)
    """,
    ),
    Case(
        "filled where some alike",
        None,
        """
        x = []
        for y in a:
            if y:
                x.append(y)
    """,
    ),
    Case(
        "filled under a flag",
        "253, 252, 252 and 252",
        """
        x = []
        if n:
            x.append(1)
        for y in a[rank::world]:
            x.append(y)
    """,
    ),
    Case(
        "filled and emptied",
        None,
        """
        x = []
        for y in a[rank::world]:
            x.append(y)
        x.clear()
    """,
    ),
    Case(
        "while filled",
        None,
        """
        x = []
        while True:
            x.append(1)
    """,
    ),
    Case(
        "dealt",
        "253, 252, 252 and 252",
        """
        x = [[] for _ in range(world)]
        for i, y in enumerate(a):
            x[i % world].append(y)
    """,
        "x[rank]",
    ),
    Case(
        "dealt alike",
        None,
        """
        x = [[] for _ in range(world)]
        for y in a:
            x[0].append(y)
    """,
        "x[0]",
    ),
    Case(
        "a generator",
        "253, 252, 252 and 252",
        """
        def g():
            for y in a[rank::world]:
                yield y
        x = g()
    """,
    ),
    Case(
        "a generator with one more",
        "254, 253, 253 and 253",
        """
        def g():
            yield 0
            for y in a[rank::world]:
                yield y
        x = g()
    """,
    ),
    Case(
        "yield from",
        "253, 252, 252 and 252",
        """
        def g():
            yield from a[rank::world]
        x = g()
    """,
    ),
    Case(
        "yield by a test",
        "253, 252, 252 and 252",
        """
        def g(items):
            for i, y in enumerate(items):
                if i % world == rank:
                    yield y
        x = g(a)
    """,
    ),
    Case(
        "yield for ever",
        None,
        """
        def g(items):
            while True:
                for y in items:
                    yield y
        x = g(a[rank::world])
    """,
    ),
    Case(
        "yield until",
        None,
        """
        def g(items):
            for y in items:
                if not y:
                    return
                yield y
        x = g(a[rank::world])
    """,
    ),
    Case(
        "yield both",
        "506, 504, 504 and 504",
        """
        def g(items):
            for y in items:
                yield y
                yield y
        x = g(a[rank::world])
    """,
    ),
    Case(
        "yield under rank",
        "1010, 1009, 1009 and 1009",
        """
        def g(items):
            if rank == 0:
                yield 0
            yield from items
        x = g(a)
    """,
    ),
    Case(
        "yield under a flag",
        None,
        """
        def g(items):
            if n:
                yield 0
            yield from items
        x = g(a)
    """,
    ),
    Case(
        "a function that cuts",
        "253, 252, 252 and 252",
        """
        def mine(items):
            return items[rank::world]
        x = mine(a)
    """,
    ),
    Case(
        "a function that is told",
        "253, 252, 252 and 252",
        """
        def mine(items, r, w):
            return items[r::w]
        x = mine(a, rank, world)
    """,
    ),
    Case(
        "a function with a default",
        "253, 252, 252 and 252",
        """
        def mine(items, r=rank, w=world):
            return items[r::w]
        x = mine(a)
    """,
    ),
    Case(
        "a function that pads",
        None,
        """
        def mine(items, r, w):
            items = items + items[: -len(items) % w]
            return items[r::w]
        x = mine(a, rank, world)
    """,
    ),
    Case(
        "a function that cuts off",
        None,
        """
        def mine(items, r, w):
            items = items[: len(items) - len(items) % w]
            return items[r::w]
        x = mine(a, rank, world)
    """,
    ),
    Case(
        "a function with two ends",
        "253, 253, 252 and 252",
        """
        def mine(items):
            if n:
                return items
            return items[rank::world]
        x = mine(a)
    """,
    ),
    Case(
        "numpy parts",
        "253, 252, 252 and 252",
        """
        x = np.array_split(a, world)[rank]
    """,
    ),
    Case(
        "numpy parts fixed",
        "253, 252, 252 and 252",
        """
        x = np.array_split(a, 4)[rank]
    """,
    ),
    Case(
        "torch chunks",
        "253, 253, 253 and 250",
        """
        x = torch.chunk(a, world)[rank]
    """,
    ),
    Case(
        "method chunk",
        "253, 253, 253 and 250",
        """
        x = a.chunk(world)[rank]
    """,
    ),
    Case(
        "torch tensor_split",
        "253, 252, 252 and 252",
        """
        x = torch.tensor_split(a, world)[rank]
    """,
    ),
    Case(
        "method chunk, keyword",
        "253, 253, 253 and 250",
        """
        x = a.chunk(chunks=world)[rank]
    """,
    ),
    Case(
        "method chunk, along",
        "253, 253, 253 and 250",
        """
        x = a.chunk(world, 0)[rank]
    """,
    ),
    Case(
        "method chunk, along by keyword",
        "253, 253, 253 and 250",
        """
        x = a.chunk(world, dim=0)[rank]
    """,
    ),
    Case(
        "torch chunks, keywords",
        "253, 253, 253 and 250",
        """
        x = torch.chunk(input=a, chunks=world)[rank]
    """,
    ),
    Case(
        "numpy parts, keywords",
        "253, 252, 252 and 252",
        """
        x = np.array_split(ary=a, indices_or_sections=world)[rank]
    """,
    ),
    Case(
        "method tensor_split",
        "253, 252, 252 and 252",
        """
        x = a.tensor_split(world)[rank]
    """,
    ),
    Case(
        "Subset, keywords",
        "253, 252, 252 and 252",
        """
        x = DataLoader(dataset=Subset(a, indices=a[rank::world]), drop_last=False, batch_size=2)
    """,
    ),
    Case(
        "parts of all",
        None,
        """
        x = np.array_split(a, world)[0]
    """,
    ),
    Case(
        "permuted",
        "253, 252, 252 and 252",
        """
        x = torch.randperm(len(a))[rank::world]
    """,
    ),
    Case(
        "permuted, listed",
        "253, 252, 252 and 252",
        """
        x = torch.randperm(len(a)).tolist()[rank::world]
    """,
    ),
    Case(
        "permuted by numpy",
        "253, 252, 252 and 252",
        """
        x = np.random.permutation(len(a))[rank::world]
    """,
    ),
    Case(
        "permuted itself",
        "253, 252, 252 and 252",
        """
        x = np.random.permutation(a)[rank::world]
    """,
    ),
    Case(
        "permuted number",
        "253, 252, 252 and 252",
        """
        m = len(a)
        x = np.random.permutation(m)[rank::world]
    """,
    ),
    Case(
        "arange",
        "253, 252, 252 and 252",
        """
        x = np.arange(len(a))[rank::world]
    """,
    ),
    Case(
        "arange strided",
        "253, 252, 252 and 252",
        """
        x = np.arange(rank, len(a), world)
    """,
    ),
    Case(
        "torch arange",
        "253, 252, 252 and 252",
        """
        x = torch.arange(len(a))[rank::world].tolist()
    """,
    ),
    Case(
        "sorted with key",
        "253, 252, 252 and 252",
        """
        x = sorted(a[rank::world], key=len)
    """,
    ),
    Case(
        "keys",
        "253, 252, 252 and 252",
        """
        d = dict(a)
        x = list(d.keys())[rank::world]
    """,
    ),
    Case(
        "copy",
        "253, 252, 252 and 252",
        """
        x = a[rank::world].copy()
    """,
    ),
    Case(
        "Subset",
        "253, 252, 252 and 252",
        """
        x = Subset(a, range(rank, len(a), world))
    """,
    ),
    Case(
        "Subset by keyword",
        "253, 252, 252 and 252",
        """
        x = Subset(dataset=a, indices=range(rank, len(a), world))
    """,
    ),
    Case(
        "loader of Subset",
        "253, 252, 252 and 252",
        """
        x = DataLoader(Subset(a, range(rank, len(a), world)))
    """,
    ),
    Case(
        "loader of Subset, dropping",
        None,
        """
        x = DataLoader(Subset(a, range(rank, len(a), world)), batch_size=4, drop_last=True)
    """,
    ),
    Case(
        "loader of Subset, not dropping",
        "253, 252, 252 and 252",
        """
        x = DataLoader(Subset(a, range(rank, len(a), world)), batch_size=4, drop_last=False)
    """,
    ),
    Case(
        "loader of Subset, perhaps dropping",
        None,
        """
        x = DataLoader(Subset(a, range(rank, len(a), world)), batch_size=4, drop_last=n)
    """,
    ),
    Case(
        "loader of a slice",
        "253, 252, 252 and 252",
        """
        x = DataLoader(a[rank::world])
    """,
    ),
    Case(
        "loader with arguments in a dict",
        "253, 252, 252 and 252",
        """
        given = {'dataset': a[rank::world], 'batch_size': 2}
        x = DataLoader(**given)
    """,
    ),
    Case(
        "loader with some in a dict",
        "253, 252, 252 and 252",
        """
        given = {'batch_size': 2}
        x = DataLoader(a[rank::world], **given)
    """,
    ),
    Case(
        "loader with drop in a dict",
        None,
        """
        given = {'drop_last': True}
        x = DataLoader(a[rank::world], **given)
    """,
    ),
    Case(
        "loader with unknown keywords",
        None,
        """
        x = DataLoader(a[rank::world], **n)
    """,
    ),
    Case(
        "loader with a sampler",
        "253, 252, 252 and 252",
        """
        x = DataLoader(a, sampler=SubsetRandomSampler(range(rank, len(a), world)))
    """,
    ),
    Case(
        "loader with no sampler",
        "253, 252, 252 and 252",
        """
        x = DataLoader(a[rank::world], sampler=None)
    """,
    ),
    Case(
        "loader with a batch sampler",
        "253, 252, 252 and 252",
        """
        x = DataLoader(a, batch_sampler=BatchSampler(SequentialSampler(a[rank::world]), 4, False))
    """,
    ),
    Case(
        "loader with a dropping batch sampler",
        None,
        """
        x = DataLoader(a, batch_sampler=BatchSampler(SequentialSampler(a[rank::world]), 4, True))
    """,
    ),
    Case(
        "loader with the library's sampler",
        None,
        """
        x = DataLoader(a[rank::world], sampler=DistributedSampler(a))
    """,
    ),
    Case(
        "drawn",
        "253, 252, 252 and 252",
        """
        x = DataLoader(a, sampler=RandomSampler(a[rank::world]))
    """,
    ),
    Case(
        "drawn as many",
        None,
        """
        x = DataLoader(a, sampler=RandomSampler(a[rank::world], num_samples=10))
    """,
    ),
    Case(
        "drawn as many by rank",
        "1, 2, 3 and 4",
        """
        x = DataLoader(a, sampler=RandomSampler(a, True, rank + 1))
    """,
    ),
    Case(
        "drawn as many by rank, keyword",
        "1, 2, 3 and 4",
        """
        x = DataLoader(a, sampler=RandomSampler(a, num_samples=rank + 1))
    """,
    ),
    Case(
        "by node",
        "253, 252, 252 and 252",
        """
        x = split_dataset_by_node(a, rank, world)
    """,
    ),
    Case(
        "by node, keywords",
        "253, 252, 252 and 252",
        """
        x = split_dataset_by_node(a, rank=rank, world_size=world)
    """,
    ),
    Case(
        "by node, all first",
        None,
        """
        x = split_dataset_by_node(a, 0, world)
    """,
    ),
    Case(
        "shard",
        "253, 252, 252 and 252",
        """
        x = a.shard(world, rank)
    """,
    ),
    Case(
        "shard, keywords",
        "253, 252, 252 and 252",
        """
        x = a.shard(num_shards=world, index=rank)
    """,
    ),
    Case(
        "shard, the first",
        None,
        """
        x = a.shard(num_shards=world, index=0)
    """,
    ),
    Case(
        "shard, half told",
        None,
        """
        x = a.shard(num_shards=world)
    """,
    ),
    Case(
        "between",
        "253, 252, 252 and 252",
        """
        with Accelerator().split_between_processes(a) as x:
            pass
    """,
    ),
    Case(
        "between, padded",
        None,
        """
        with Accelerator().split_between_processes(a, apply_padding=True) as x:
            pass
    """,
    ),
    Case(
        "between, not padded",
        "253, 252, 252 and 252",
        """
        with Accelerator().split_between_processes(a, apply_padding=False) as x:
            pass
    """,
    ),
    Case(
        "prepared",
        None,
        """
        acc = Accelerator()
        x = acc.prepare(DataLoader(a))
    """,
    ),
    Case(
        "prepared, uneven",
        "253, 252, 252 and 252",
        """
        acc = Accelerator(even_batches=False)
        x = acc.prepare(DataLoader(a))
    """,
    ),
    Case(
        "web",
        None,
        """
        x = wds.WebDataset(n)
    """,
    ),
    Case(
        "web, by node",
        "253, 252, 252 and 252",
        """
        x = wds.WebDataset(n, nodesplitter=wds.split_by_node)
    """,
    ),
    Case(
        "web, resampled",
        None,
        """
        x = wds.WebDataset(n, resampled=True, nodesplitter=wds.split_by_node)
    """,
    ),
    Case(
        "web, not resampled",
        "253, 252, 252 and 252",
        """
        x = wds.WebDataset(n, resampled=False, nodesplitter=wds.split_by_node)
    """,
    ),
    Case(
        "web epoch",
        None,
        """
        x = wds.WebDataset(n, nodesplitter=wds.split_by_node).with_epoch(10)
    """,
    ),
    Case(
        "pipeline",
        "253, 252, 252 and 252",
        """
        x = wds.DataPipeline(wds.SimpleShardList(n), wds.split_by_node, wds.tarfile_to_samples())
    """,
    ),
    Case(
        "pipeline resampled",
        None,
        """
        x = wds.DataPipeline(wds.ResampledShards(n), wds.split_by_node, wds.tarfile_to_samples())
    """,
    ),
    Case(
        "pipeline not split",
        None,
        """
        x = wds.DataPipeline(wds.SimpleShardList(n), wds.tarfile_to_samples())
    """,
    ),
    Case(
        "an object with __len__",
        "253, 252, 252 and 252",
        """
        class Own(Sampler):
            def __len__(self):
                return len(a) // world + (rank < len(a) % world)
            def __getitem__(self, i):
                return a[i]
        x = DataLoader(a, sampler=Own())
    """,
    ),
    Case(
        "an object with __len__ alike",
        None,
        """
        class Own(Dataset):
            def __len__(self):
                return len(a) // world
            def __getitem__(self, i):
                return a[i]
        x = DataLoader(Own())
    """,
    ),
    Case(
        "an object with __iter__",
        "253, 252, 252 and 252",
        """
        class Own(IterableDataset):
            def __iter__(self):
                yield from a[rank::world]
        x = DataLoader(Own())
    """,
    ),
    Case(
        "an object with __iter__ returned",
        "253, 252, 252 and 252",
        """
        class Own:
            def __init__(self, items):
                self.items = items[rank::world]
            def __iter__(self):
                return iter(self.items)
        x = Own(a)
    """,
    ),
    Case(
        "an object with __iter__ of all",
        None,
        """
        class Own:
            def __init__(self, items):
                self.items = items
            def __iter__(self):
                return iter(self.items)
        x = Own(a)
    """,
    ),
    Case(
        "an object with its own attribute",
        "253, 252, 252 and 252",
        """
        class Own:
            def __init__(self, items):
                self.items = items[rank::world]
        o = Own(a)
    """,
        "o.items",
    ),
    Case(
        "length of",
        "253, 252, 252 and 252",
        """
        m = len(a[rank::world])
    """,
        "range(m)",
    ),
    Case(
        "length of, halved",
        "127, 127, 126 and 126",
        """
        m = len(a[rank::world]) // 2
    """,
        "range(m)",
    ),
    Case(
        "length of, at most",
        None,
        """
        m = min(len(a[rank::world]), 100)
    """,
        "range(m)",
    ),
    Case(
        "shape",
        "253, 252, 252 and 252",
        """
        x = a[rank::world].shape[0]
    """,
        "range(x)",
    ),
    Case(
        "size",
        "253, 252, 252 and 252",
        """
        x = a[rank::world].size(0)
    """,
        "range(x)",
    ),
    Case(
        "reduced",
        None,
        """
        m = torch.tensor(len(a[rank::world]))
        dist.all_reduce(m)
    """,
        "range(m)",
    ),
    Case(
        "reduced, item",
        None,
        """
        m = torch.tensor(len(a[rank::world]))
        dist.all_reduce(m, op=dist.ReduceOp.MIN)
    """,
        "range(int(m.item()))",
    ),
    Case(
        "added to",
        "254, 253, 253 and 253",
        """
        x = a[rank::world]
        x += [1]
    """,
    ),
    Case(
        "by a name for the rank",
        "253, 252, 252 and 252",
        """
        me = rank
        x = a[me::world]
    """,
    ),
    Case(
        "by an item",
        "253, 252, 252 and 252",
        """
        p = (rank, world)
        x = a[p[0]::p[1]]
    """,
    ),
    Case(
        "chosen of alike",
        None,
        """
        if rank == 0:
            x = a
        else:
            x = list(a)
    """,
    ),
    Case(
        "chosen by n",
        "253, 253, 252 and 252",
        """
        if n:
            x = a[rank::world]
        else:
            x = a
    """,
    ),
    Case(
        "more_itertools",
        "253, 252, 252 and 252",
        """
        import more_itertools
        x = more_itertools.divide(world, a)[rank]
    """,
    ),
    Case(
        "trange",
        "253, 252, 252 and 252",
        """
        from tqdm import trange
        x = trange(rank, len(a), world)
    """,
    ),
    Case(
        "tqdm",
        "253, 252, 252 and 252",
        """
        from tqdm import tqdm
        x = tqdm(a[rank::world], disable=rank > 0)
    """,
    ),
    Case(
        "tqdm enumerated",
        "253, 252, 252 and 252",
        """
        from tqdm import tqdm
        x = enumerate(tqdm(a[rank::world]))
    """,
    ),
]


def test_what_the_ranks_get(tmp_path: Path) -> None:
    cases = {each.name: (each.items, textwrap.indent(textwrap.dedent(each.body).strip(), "    ") + "\n") for each in CASES}
    assert all_counts(tmp_path, cases, IMPORTS) == {each.name: each.expected for each in CASES}
