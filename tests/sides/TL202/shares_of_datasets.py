"""Datasets that are told the rank, cut by it, or changed before they are loaded."""

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Dataset
from torchvision.datasets import CIFAR10


def step(net, optimizer, images, kinds):
    optimizer.zero_grad()
    torch.nn.functional.cross_entropy(net(images), kinds).backward()
    optimizer.step()


class Rows(Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index]


def of_a_share(net, optimizer, rows):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(Rows(rows[dist.get_rank() :: 4]), batch_size=8):  # expect: TL109
        step(model, optimizer, images, kinds)


def of_a_share_by_its_path(net, optimizer):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(CIFAR10(f"data-{dist.get_rank()}"), batch_size=8):
        step(model, optimizer, images, kinds)


def of_a_path(net, optimizer, name):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(CIFAR10(f"data-{name}"), batch_size=8):  # expect: TL202
        step(model, optimizer, images, kinds)


def rows_of(world):
    return [line for line in open("rows") if hash(line) % world == 0]


def lines_of(path):
    return open(path).readlines()


def of_a_function_that_knows(net, optimizer):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(Rows(rows_of(4)), batch_size=8):
        step(model, optimizer, images, kinds)


def of_a_function_that_does_not(net, optimizer):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(Rows(lines_of("rows")), batch_size=8):  # expect: TL202
        step(model, optimizer, images, kinds)


def of_chosen_rows(net, optimizer, rows):
    chosen = [row for row in rows if row]
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(Rows(chosen), batch_size=8):  # expect: TL202
        step(model, optimizer, images, kinds)


def of_rows_chosen_for_a_rank(net, optimizer, rows):
    chosen = [row for i, row in enumerate(rows) if i % 4 == dist.get_rank()]
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(Rows(chosen), batch_size=8):  # expect: TL109
        step(model, optimizer, images, kinds)


def of_rows_chosen_in_a_function_that_knows(net, optimizer, rows, rank):
    chosen = [row for row in rows if row]
    print(rank)
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(Rows(chosen), batch_size=8):
        step(model, optimizer, images, kinds)


def cut_afterwards(net, optimizer, rows, rank):
    data = Rows(rows)
    data.rows = data.rows[rank::4]
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(data, batch_size=8):
        step(model, optimizer, images, kinds)


def told_afterwards(net, optimizer, rows, size):
    data = Rows(rows)
    data.shuffle(size)
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(data, batch_size=8):  # expect: TL202
        step(model, optimizer, images, kinds)


def told_its_share_afterwards(net, optimizer, rows):
    data = Rows(rows)
    data.use(dist.get_rank())
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(data, batch_size=8):
        step(model, optimizer, images, kinds)


def made_again_in_each_round(net, optimizer, collect):
    model = DistributedDataParallel(net)
    for _ in range(10):
        for images, kinds in DataLoader(Rows(collect()), batch_size=8):
            step(model, optimizer, images, kinds)


def by_the_names_in_a_loop(net, optimizer, names):
    model = DistributedDataParallel(net)
    for name in names:
        data = CIFAR10(name)
        for images, kinds in DataLoader(data, batch_size=8):
            step(model, optimizer, images, kinds)


def of_a_share_in_a_function(net, optimizer, rows):
    train_on(net, optimizer, rows[: dist.get_rank()])


def train_on(net, optimizer, rows):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(Rows(rows), batch_size=8):  # expect: TL109
        step(model, optimizer, images, kinds)


def of_the_last_share(net, optimizer, parts):
    model, shard = DistributedDataParallel(net), []
    for part in parts:
        shard = shard + part
    for images, kinds in DataLoader(Rows(shard), batch_size=8):
        step(model, optimizer, images, kinds)


def of_the_last_rows(net, optimizer, parts):
    model, rows = DistributedDataParallel(net), []
    for part in parts:
        rows = rows + part
    for images, kinds in DataLoader(Rows(rows), batch_size=8):  # expect: TL202
        step(model, optimizer, images, kinds)


def with_a_named_share(net, optimizer, read):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(Rows(read("rows", num_shards=4)), batch_size=8):
        step(model, optimizer, images, kinds)


def of_one_of_two(net, optimizer, rows, small):
    model = DistributedDataParallel(net)
    data = CIFAR10("small") if small else Rows(rows)
    for images, kinds in DataLoader(data, batch_size=8):  # expect: TL202
        step(model, optimizer, images, kinds)


def of_an_item_of_an_argument(net, optimizer, parts):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(parts["train"], batch_size=8):
        step(model, optimizer, images, kinds)


def of_a_class_that_has_it(net, optimizer):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader([Rows(["a", "b"])][0], batch_size=8):  # expect: TL202
        step(model, optimizer, images, kinds)
