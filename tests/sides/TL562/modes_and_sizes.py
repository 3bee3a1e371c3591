"""Recorded steps and the sizes of their batches: how the recording is said, what runs in the loop, how batches come out."""

import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import BatchSampler, DataLoader, SequentialSampler


def by_mode(model, dataset, optimizer):
    fast = torch.compile(model, mode="reduce-overhead")
    for x, y in DataLoader(dataset, batch_size=64):  # expect: TL562
        torch.nn.functional.mse_loss(fast(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()


def by_other_mode(model, dataset, optimizer):
    fast = torch.compile(model, mode="default")
    for x, y in DataLoader(dataset, batch_size=64):
        torch.nn.functional.mse_loss(fast(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()


def by_chosen_mode(model, dataset, optimizer, mode):
    fast = torch.compile(model, mode=mode)
    for x, y in DataLoader(dataset, batch_size=64):
        torch.nn.functional.mse_loss(fast(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()


def by_options(model, dataset, optimizer):
    fast = torch.compile(model, options={"triton.cudagraphs": True})
    for x, y in DataLoader(dataset, batch_size=64):  # expect: TL562
        torch.nn.functional.mse_loss(fast(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()


def by_options_off(model, dataset, optimizer):
    fast = torch.compile(model, options={"triton.cudagraphs": False})
    for x, y in DataLoader(dataset, batch_size=64):
        torch.nn.functional.mse_loss(fast(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()


def by_options_of_setting(model, dataset, optimizer, graphs):
    fast = torch.compile(model, options={"triton.cudagraphs": graphs})
    for x, y in DataLoader(dataset, batch_size=64):
        torch.nn.functional.mse_loss(fast(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()


def by_other_options(model, dataset, optimizer, name):
    fast = torch.compile(model, options={"max_autotune": True, name: True})
    for x, y in DataLoader(dataset, batch_size=64):
        torch.nn.functional.mse_loss(fast(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()


def by_options_from_somewhere(model, dataset, optimizer, options):
    fast = torch.compile(model, options=options)
    for x, y in DataLoader(dataset, batch_size=64):
        torch.nn.functional.mse_loss(fast(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()


def dropped(model, dataset, optimizer):
    fast = torch.compile(model, mode="reduce-overhead")
    for x, y in DataLoader(dataset, batch_size=64, drop_last=True):
        torch.nn.functional.mse_loss(fast(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()


def runs_the_other(model, dataset, optimizer):
    fast = torch.compile(model, mode="reduce-overhead")
    fast(torch.ones(3))
    for x, y in DataLoader(dataset, batch_size=64):
        torch.nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()


@torch.compile(mode="reduce-overhead")
def loss_of(model, x, y):
    return torch.nn.functional.mse_loss(model(x), y)


@torch.compile
def plain_loss_of(model, x, y):
    return torch.nn.functional.mse_loss(model(x), y)


def by_decorator(model, dataset, optimizer):
    for x, y in DataLoader(dataset, batch_size=64):  # expect: TL562
        loss_of(model, x, y).backward()
        optimizer.step()
        optimizer.zero_grad()


def by_plain_decorator(model, dataset, optimizer):
    for x, y in DataLoader(dataset, batch_size=64):
        plain_loss_of(model, x, y).backward()
        optimizer.step()
        optimizer.zero_grad()


def one_step(model, x, y):
    return loss_of(model, x, y) + 1


def two_steps(model, x, y):
    return one_step(model, x, y) + 1


def deep(model, dataset, optimizer):
    for x, y in DataLoader(dataset, batch_size=64):  # expect: TL562
        two_steps(model, x, y).backward()
        optimizer.step()
        optimizer.zero_grad()


def tested(model, dataset, optimizer, pad):
    """It asks how large a batch is: perhaps to fill it up."""
    fast = torch.compile(model, mode="reduce-overhead")
    for x, y in DataLoader(dataset, batch_size=64):
        if len(x) < 64:
            x, y = pad(x, y)
        torch.nn.functional.mse_loss(fast(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()


def tested_for_another_reason(model, dataset, optimizer, verbose):
    fast = torch.compile(model, mode="reduce-overhead")
    for x, y in DataLoader(dataset, batch_size=64):  # expect: TL562
        loss = torch.nn.functional.mse_loss(fast(x), y)
        if verbose:
            print("step")
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def sampled(model, dataset, optimizer):
    fast = torch.compile(model, mode="reduce-overhead")
    batches = BatchSampler(SequentialSampler(dataset), 64, False)  # expect: TL562
    for x, y in DataLoader(dataset, batch_sampler=batches):
        torch.nn.functional.mse_loss(fast(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()


def make_loader(dataset):
    return DataLoader(dataset, batch_size=64)  # expect: TL562


def of_helper(model, dataset, optimizer):
    fast = torch.compile(model, mode="reduce-overhead")
    for x, y in make_loader(dataset):
        torch.nn.functional.mse_loss(fast(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()


def of_helper_again(model, dataset, optimizer):
    """The same loader once more."""
    fast = torch.compile(model, mode="max-autotune")
    for x, y in make_loader(dataset):
        torch.nn.functional.mse_loss(fast(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()


def pad(items):
    return pad_sequence(items, batch_first=True)  # expect: TL562


def padded(model, dataset, optimizer):
    fast = torch.compile(model, mode="reduce-overhead")
    for x, y in DataLoader(dataset, batch_size=64, drop_last=True, collate_fn=pad):
        torch.nn.functional.mse_loss(fast(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()


def evaluated(model, dataset):
    fast = torch.compile(model, mode="reduce-overhead")
    return [fast(x) for x, _ in DataLoader(dataset, batch_size=64)]
