"""The loop over what another file has built."""

import torch
import torch.distributed as dist
from torch.nn.functional import cross_entropy

from streams import build, build_both


def one_pass(model, optimizer, loader):
    model.train()
    for x, y in loader:
        loss = cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    counts = torch.zeros(2)
    for x, y in loader:
        counts += torch.tensor([(model(x).argmax(1) == y).sum(), len(y)])
    dist.all_reduce(counts)
    return counts[0] / counts[1]


def train(model, train_set, eval_set, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    train_loader = build(train_set, 64, training=True)
    eval_loader = build(eval_set, 64, training=False)
    for epoch in range(epochs):  # expect: TL201
        one_pass(model, optimizer, train_loader)
        print(epoch, accuracy(model, eval_loader))


def train_from_dictionary(model, train_set, eval_set, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loaders = build_both(train_set, eval_set, 64)
    for epoch in range(epochs):  # expect: TL201
        one_pass(model, optimizer, loaders["train"])
        print(epoch, accuracy(model, loaders["eval"]))


def evaluate_again_and_again(model, eval_set, times):
    loader = build(eval_set, 64, training=False)
    for turn in range(times):
        print(turn, accuracy(model, loader))
