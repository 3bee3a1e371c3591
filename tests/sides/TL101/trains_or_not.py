"""A forward pass that meets the others in training mode only, run by one rank: in evaluation mode, or not."""

import torch
import torch.distributed as dist
from torch import nn


class Encoder(nn.Module):
    def __init__(self, shared):
        super().__init__()
        self.shared = shared

    def compare(self, one, other):
        if self.training:
            dist.all_reduce(other)
        return one @ other.t()

    def compare_shared(self, one, other):
        if self.shared:
            dist.all_reduce(other)
        return one @ other.t()

    def compare_untrained(self, one, other):
        self.eval()
        return self.compare(one, other)


def evaluated(model: Encoder, batch):
    model.eval()
    if dist.get_rank() == 0:
        return model.compare(batch, batch)
    return None


def rows(model, batch):
    return [model.compare(batch, batch)]


def evaluated_in_a_helper(args, batch):
    model = Encoder(args.shared)
    model.eval()
    if dist.get_rank() == 0:
        rows(model, batch)


def trained_in_a_helper(args, batch):
    model = Encoder(args.shared)
    model.train()
    if dist.get_rank() == 0:
        rows(model, batch)  # expect: TL101


def trained_again(args, batch):
    model = Encoder(args.shared)
    model.eval()
    model.train()
    if dist.get_rank() == 0:
        rows(model, batch)  # expect: TL101


def evaluated_again(args, batch):
    model = Encoder(args.shared)
    model.train()
    model.eval()
    if dist.get_rank() == 0:
        rows(model, batch)


def evaluated_too_late(args, batch):
    model = Encoder(args.shared)
    if dist.get_rank() == 0:
        rows(model, batch)  # expect: TL101
    model.eval()


def shared_rows(model, batch):
    return [model.compare_shared(batch, batch)]


def another_mode(args, batch):
    model = Encoder(args.shared)
    model.eval()
    if dist.get_rank() == 0:
        shared_rows(model, batch)  # expect: TL101


def untrained_rows(model, batch):
    model.eval()
    return [model.compare(batch, batch)]


def evaluated_by_the_helper(args, batch):
    model = Encoder(args.shared)
    if dist.get_rank() == 0:
        untrained_rows(model, batch)


@torch.no_grad()
def without_gradients(args, batch):
    model = Encoder(args.shared)
    if dist.get_rank() == 0:
        rows(model, batch)  # expect: TL101
