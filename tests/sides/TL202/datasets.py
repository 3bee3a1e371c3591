"""What a loader reads: by index or as a stream, found or made up, told of the rank or not."""

import torch
from datasets import load_from_disk
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import ConcatDataset, DataLoader, Dataset, IterableDataset, TensorDataset, random_split
from torchvision.datasets import CIFAR10, FakeData


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


class Noise(Dataset):
    """Each rank makes its own."""

    def __len__(self):
        return 1000

    def __getitem__(self, index):
        return torch.randn(3, 32, 32), index % 10


class NoisyRows(Rows):
    """The noise is made into a name first."""

    def __getitem__(self, index):
        noise = {"x": torch.rand(8)}
        return noise, self.rows[index]


class Both(Rows):
    def __iter__(self):
        return iter(self.rows)


class Unread(Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)


class Stream(IterableDataset):
    def __init__(self, rows):
        self.rows = rows

    def __iter__(self):
        return iter(self.rows)


class Divided(Rows):
    def __init__(self, rows, shard):
        super().__init__(rows[shard])


def by_index(net, optimizer, rows):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(Rows(rows), batch_size=8):  # expect: TL202
        step(model, optimizer, images, kinds)


def noise(net, optimizer):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(Noise(), batch_size=8):
        step(model, optimizer, images, kinds)


def noisy_rows(net, optimizer, rows):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(NoisyRows(rows), batch_size=8):
        step(model, optimizer, images, kinds)


def both_ways(net, optimizer, rows):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(Both(rows), batch_size=8):
        step(model, optimizer, images, kinds)


def not_read_at_all(net, optimizer, rows):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(Unread(rows), batch_size=8):
        step(model, optimizer, images, kinds)


def stream(net, optimizer, rows):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(Stream(rows), batch_size=8):
        step(model, optimizer, images, kinds)


def told_its_shard(net, optimizer, rows, number):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(Divided(rows, number), batch_size=8):
        step(model, optimizer, images, kinds)


def of_a_library(net, optimizer):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(CIFAR10("data"), batch_size=8):  # expect: TL202
        step(model, optimizer, images, kinds)


def fake(net, optimizer):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(FakeData(size=1000), batch_size=8):
        step(model, optimizer, images, kinds)


def tensors(net, optimizer, x, y):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(TensorDataset(x, y), batch_size=8):  # expect: TL202
        step(model, optimizer, images, kinds)


def loaded_tensors(net, optimizer):
    data = torch.load("data.pt", weights_only=True)
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(TensorDataset(data["x"], data["y"]), batch_size=8):  # expect: TL202
        step(model, optimizer, images, kinds)


def drawn_tensors(net, optimizer):
    data = TensorDataset(torch.randn(100, 8), torch.zeros(100))
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(data, batch_size=8):
        step(model, optimizer, images, kinds)


def drawn_tensors_in_a_list(net, optimizer):
    x, y = [torch.randn(100, 8), torch.zeros(100)]
    data = TensorDataset(x, y)
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(data, batch_size=8):
        step(model, optimizer, images, kinds)


def joined(net, optimizer):
    data = ConcatDataset([CIFAR10("data", train=True), CIFAR10("data", train=False)])
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(data, batch_size=8):  # expect: TL202
        step(model, optimizer, images, kinds)


def first_of_two(net, optimizer):
    parts = random_split(CIFAR10("data"), [0.9, 0.1], torch.Generator().manual_seed(0))
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(parts[0], batch_size=8):  # expect: TL202
        step(model, optimizer, images, kinds)


def from_disk(net, optimizer):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(load_from_disk("texts"), batch_size=8):  # expect: TL202
        step(model, optimizer, images, kinds)


def part_of_what_is_on_disk(net, optimizer):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(load_from_disk("texts")["train"], batch_size=8):  # expect: TL202
        step(model, optimizer, images, kinds)


def what_a_function_returns(net, optimizer, make):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(make(), batch_size=8):
        step(model, optimizer, images, kinds)


def an_argument(net, optimizer, data):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(data, batch_size=8):
        step(model, optimizer, images, kinds)


def a_list(net, optimizer):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader([1, 2, 3], batch_size=8):
        step(model, optimizer, images, kinds)
