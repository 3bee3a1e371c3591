"""Totals of a loop over data: how they are made, of which type, and what is added."""

import torch


def made_narrow(losses):
    total = torch.zeros((), dtype=torch.float16)
    for loss in losses:
        total += loss  # expect: TL415
    return total


def made_wide(losses):
    total = torch.zeros((), dtype=torch.float32)
    for loss in losses:
        total += loss
    return total


def made_by_default(losses):
    total = torch.zeros(())
    for loss in losses:
        total += loss
    return total


def made_of_a_number(losses):
    total = torch.tensor(0.0, dtype=torch.bfloat16)
    for loss in losses:
        total += loss  # expect: TL415
    return total


def made_by_a_method(losses):
    total = torch.zeros(()).half()
    for loss in losses:
        total += loss  # expect: TL415
    return total


def made_wide_again(losses):
    total = torch.zeros((), dtype=torch.float16).float()
    for loss in losses:
        total += loss
    return total


def turned_to_a_type(losses):
    total = torch.zeros(()).to(torch.bfloat16)
    for loss in losses:
        total += loss  # expect: TL415
    return total


def turned_to_a_device(losses, device):
    total = torch.zeros((), dtype=torch.bfloat16).to(device)
    for loss in losses:
        total += loss  # expect: TL415
    return total


def turned_to_a_named_device(losses):
    total = torch.zeros((), dtype=torch.bfloat16).to("cuda", non_blocking=True)
    for loss in losses:
        total += loss  # expect: TL415
    return total


def turned_to_something(losses, kind):
    total = torch.zeros((), dtype=torch.bfloat16).to(kind)
    for loss in losses:
        total += loss
    return total


def turned_by_keyword(losses):
    total = torch.zeros(()).to(dtype=torch.float16)
    for loss in losses:
        total += loss  # expect: TL415
    return total


def like_a_narrow_one(losses):
    scale = torch.ones((), dtype=torch.float16)
    total = torch.zeros_like(scale)
    for loss in losses:
        total += loss  # expect: TL415
    return total


def like_a_narrow_one_but_wide(losses):
    scale = torch.ones((), dtype=torch.float16)
    total = torch.zeros_like(scale, dtype=torch.float32)
    for loss in losses:
        total += loss
    return total


def new_of_a_narrow_one(losses):
    scale = torch.ones((), dtype=torch.float16)
    total = scale.new_zeros(())
    for loss in losses:
        total += loss  # expect: TL415
    return total


def new_of_a_narrow_one_but_wide(losses):
    scale = torch.ones((), dtype=torch.float16)
    total = scale.new_zeros((), dtype=torch.float32)
    for loss in losses:
        total += loss
    return total


def grows_wide(losses):
    total = torch.zeros((), dtype=torch.float16)
    for loss in losses:
        total = total + loss
    return total


def of_narrow_parts(losses):
    total = 0
    for loss in losses:
        total += loss.half().sum()  # expect: TL415
    return total


def of_wide_parts(losses):
    total = 0
    for loss in losses:
        total += loss.half().float().sum()
    return total


def of_parts_summed_wide(losses):
    total = 0
    for loss in losses:
        total += loss.half().sum(dtype=torch.float32)
    return total


def of_numbers(losses):
    total = 0
    for loss in losses:
        total += loss.half().sum().item()
    return total


def of_narrow_and_wide(losses, weight):
    total = 0
    for loss in losses:
        total += loss.half().sum() * weight
    return total


def of_narrow_times_a_number(losses):
    total = 0
    for loss in losses:
        total += loss.half().sum() * 2  # expect: TL415
    return total


def of_narrow_or_wide(losses, narrow):
    total = 0
    for loss in losses:
        total += loss.half().sum() if narrow else loss.sum()
    return total


def made_anew_in_each_round(losses):
    for loss in losses:
        total = torch.zeros((), dtype=torch.float16)
        total += loss
        print(total)


def few_rounds(loss):
    total = torch.zeros((), dtype=torch.float16)
    for _ in range(3):
        total += loss
    return total


def over_written_things(first, second):
    total = torch.zeros((), dtype=torch.float16)
    for loss in (first, second):
        total += loss
    return total


def over_layers(x, layers):
    total = torch.zeros((), dtype=torch.float16)
    for layer in layers:
        total += layer(x).mean()
    return total


def vector_over_data(loader, model):
    total = torch.zeros(16, dtype=torch.float16)
    for batch in loader:
        total += model(batch)  # expect: TL415
    return total


def vector_over_something(results):
    total = torch.zeros(16, dtype=torch.float16)
    for result in results:
        total += result
    return total


def one_number_over_something(results):
    total = torch.zeros(1, dtype=torch.float16)
    for result in results:
        total += result.sum()  # expect: TL415
    return total


class Meter:
    def __init__(self):
        self.narrow = torch.zeros((), dtype=torch.float16)
        self.wide = torch.zeros((), dtype=torch.float32)
        self.later = torch.zeros((), dtype=torch.float16)

    def widen(self):
        self.later = torch.zeros((), dtype=torch.float32)

    def update(self, value):
        self.narrow += value  # expect: TL415
        self.wide += value
        self.later += value


def measure(losses):
    meter = Meter()
    for loss in losses:
        meter.update(loss)
    return meter


class Single:
    def __init__(self):
        self.total = torch.zeros((), dtype=torch.float16)

    def update(self, value):
        self.total += value


def measure_once(loss):
    single = Single()
    single.update(loss)
    return single
