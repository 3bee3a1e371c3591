"""FSDP2: the model is sharded in place, a trainer class runs the step, a function makes the loader, nothing shuffles."""

import torch
import torch.distributed as dist
from torch.distributed.fsdp import fully_shard
from torch.utils.data import DataLoader, Dataset


class Letters(Dataset):
    def __init__(self, path):
        with open(path) as file:
            self.lines = file.read().splitlines()

    def __len__(self):
        return len(self.lines)

    def __getitem__(self, index):
        return torch.tensor([ord(letter) for letter in self.lines[index]])


def loader_of(path, size):
    letters = Letters(path)
    return DataLoader(letters, batch_size=size, sampler=None, drop_last=True)  # expect: TL202


class Writer:
    def __init__(self, net, optimizer, loader):
        self.net, self.optimizer, self.loader = net, optimizer, loader

    def learn(self, batch):
        loss = self.net(batch.cuda()).mean()
        loss.backward()
        self.optimizer.step()
        self.optimizer.zero_grad()

    def write(self, epochs):
        for _ in range(epochs):
            for batch in self.loader:
                self.learn(batch)


def main():
    dist.init_process_group("nccl")
    net = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.Linear(64, 64)).cuda()
    for layer in net:
        fully_shard(layer)
    fully_shard(net)
    Writer(net, torch.optim.AdamW(net.parameters()), loader_of("letters.txt", 16)).write(3)


main()
