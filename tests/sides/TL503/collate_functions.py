"""Batches that are padded to their longest item, in all the ways a collate function can do it, and to fixed lengths."""

import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

PAD = 0


def padded(rows):
    return pad_sequence(rows, batch_first=True)  # expect: TL503


def padded_to_total(rows):
    """It pads a second time, to a size of its own."""
    together = pad_sequence(rows, batch_first=True)
    return torch.nn.functional.pad(together, (0, 128 - together.shape[1]))


def by_max(rows):
    longest = max(len(row) for row in rows)  # expect: TL503
    out = torch.zeros(len(rows), longest)
    for index, row in enumerate(rows):
        out[index, : len(row)] = row
    return out


def by_max_of_shapes(rows):
    longest = max(row.shape[0] for row in rows)  # expect: TL503
    return torch.full((len(rows), longest), PAD)


def by_max_of_sizes(rows):
    longest = max(row.size(0) for row in rows)  # expect: TL503
    return torch.full((len(rows), longest), PAD)


def by_max_of_list(rows):
    longest = max([len(row) for row in rows])  # expect: TL503
    return torch.zeros(len(rows), longest)


def by_mapped_max(rows):
    longest = max(map(len, rows))  # expect: TL503
    return torch.zeros(len(rows), longest)


def by_mapped_numbers(rows):
    """The largest number, not the longest row."""
    largest = max(map(sum, rows))
    return torch.zeros(len(rows), largest)


def by_max_of_values(rows):
    """The largest label: a table of classes."""
    largest = max(int(row[0]) for row in rows)
    return torch.zeros(len(rows), largest)


def by_max_of_some(rows):
    longest = max(len(row) for row in rows if row is not None)
    return torch.zeros(len(rows), longest)


def by_max_with_default(rows):
    longest = max((len(row) for row in rows), default=0)
    return torch.zeros(len(rows), longest)


def by_max_and_bound(rows):
    """Never less than a number: somebody has thought of it."""
    longest = max(128, max(len(row) for row in rows))
    return torch.zeros(len(rows), longest)


def by_rounded_max(rows):
    longest = max(len(row) for row in rows)
    longest = (longest + 127) // 128 * 128
    return torch.zeros(len(rows), longest)


def by_remainder(rows):
    longest = max(len(row) for row in rows)
    longest = longest + 64 - longest % 64
    return torch.zeros(len(rows), longest)


def by_max_and_one(rows):
    longest = max(len(row) for row in rows)  # expect: TL503
    return torch.zeros(len(rows), longest + 1)


def by_max_for_a_print(rows):
    """Nothing is made that long."""
    longest = max(len(row) for row in rows)
    print("longest", longest)
    return torch.zeros(len(rows), 128)


def by_repeated_padding(rows):
    longest = max(len(row) for row in rows)  # expect: TL503
    return torch.tensor([row + [PAD] * (longest - len(row)) for row in rows])


def by_repeated_padding_turned(rows):
    longest = max(len(row) for row in rows)  # expect: TL503
    return torch.tensor([row + (longest - len(row)) * [PAD] for row in rows])


def by_repeated_fixed(rows):
    longest = max(len(row) for row in rows)
    return torch.tensor([row + [PAD] * (128 - len(row)) for row in rows]), longest / 128


def by_max_of_a_table(rows):
    """These are not the rows that it was given."""
    table = [[1, 2], [3]]
    longest = max(len(row) for row in table)
    return torch.zeros(len(rows), longest)


def on_both(rows, device=None):
    if xm.xla_device_hw(device) == "TPU":
        return torch.nn.functional.pad(pad_sequence(rows), (0, 128))
    return pad_sequence(rows, batch_first=True)


def inner(rows):
    return pad_sequence(rows, batch_first=True)  # expect: TL503


def by_inner(rows):
    return inner(rows) * 2


def train_padded(model, optimizer, data):
    loader = DataLoader(data, batch_size=8, drop_last=True, collate_fn=padded)
    for batch in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(batch).backward()
        xm.optimizer_step(optimizer)


def train_padded_to_total(model, optimizer, data):
    loader = DataLoader(data, batch_size=8, drop_last=True, collate_fn=padded_to_total)
    for batch in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(batch).backward()
        xm.optimizer_step(optimizer)


def train_by_max(model, optimizer, data):
    loader = DataLoader(data, batch_size=8, drop_last=True, collate_fn=by_max)
    for batch in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(batch).backward()
        xm.optimizer_step(optimizer)


def train_by_max_of_shapes(model, optimizer, data):
    loader = DataLoader(data, batch_size=8, drop_last=True, collate_fn=by_max_of_shapes)
    for batch in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(batch).backward()
        xm.optimizer_step(optimizer)


def train_by_max_of_sizes(model, optimizer, data):
    loader = DataLoader(data, batch_size=8, drop_last=True, collate_fn=by_max_of_sizes)
    for batch in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(batch).backward()
        xm.optimizer_step(optimizer)


def train_by_max_of_list(model, optimizer, data):
    loader = DataLoader(data, batch_size=8, drop_last=True, collate_fn=by_max_of_list)
    for batch in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(batch).backward()
        xm.optimizer_step(optimizer)


def train_by_mapped_max(model, optimizer, data):
    loader = DataLoader(data, batch_size=8, drop_last=True, collate_fn=by_mapped_max)
    for batch in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(batch).backward()
        xm.optimizer_step(optimizer)


def train_by_mapped_numbers(model, optimizer, data):
    loader = DataLoader(data, batch_size=8, drop_last=True, collate_fn=by_mapped_numbers)
    for batch in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(batch).backward()
        xm.optimizer_step(optimizer)


def train_by_max_of_values(model, optimizer, data):
    loader = DataLoader(data, batch_size=8, drop_last=True, collate_fn=by_max_of_values)
    for batch in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(batch).backward()
        xm.optimizer_step(optimizer)


def train_by_max_of_some(model, optimizer, data):
    loader = DataLoader(data, batch_size=8, drop_last=True, collate_fn=by_max_of_some)
    for batch in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(batch).backward()
        xm.optimizer_step(optimizer)


def train_by_max_with_default(model, optimizer, data):
    loader = DataLoader(data, batch_size=8, drop_last=True, collate_fn=by_max_with_default)
    for batch in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(batch).backward()
        xm.optimizer_step(optimizer)


def train_by_max_and_bound(model, optimizer, data):
    loader = DataLoader(data, batch_size=8, drop_last=True, collate_fn=by_max_and_bound)
    for batch in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(batch).backward()
        xm.optimizer_step(optimizer)


def train_by_rounded_max(model, optimizer, data):
    loader = DataLoader(data, batch_size=8, drop_last=True, collate_fn=by_rounded_max)
    for batch in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(batch).backward()
        xm.optimizer_step(optimizer)


def train_by_remainder(model, optimizer, data):
    loader = DataLoader(data, batch_size=8, drop_last=True, collate_fn=by_remainder)
    for batch in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(batch).backward()
        xm.optimizer_step(optimizer)


def train_by_max_and_one(model, optimizer, data):
    loader = DataLoader(data, batch_size=8, drop_last=True, collate_fn=by_max_and_one)
    for batch in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(batch).backward()
        xm.optimizer_step(optimizer)


def train_by_max_for_a_print(model, optimizer, data):
    loader = DataLoader(data, batch_size=8, drop_last=True, collate_fn=by_max_for_a_print)
    for batch in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(batch).backward()
        xm.optimizer_step(optimizer)


def train_by_repeated_padding(model, optimizer, data):
    loader = DataLoader(data, batch_size=8, drop_last=True, collate_fn=by_repeated_padding)
    for batch in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(batch).backward()
        xm.optimizer_step(optimizer)


def train_by_repeated_padding_turned(model, optimizer, data):
    loader = DataLoader(data, batch_size=8, drop_last=True, collate_fn=by_repeated_padding_turned)
    for batch in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(batch).backward()
        xm.optimizer_step(optimizer)


def train_by_repeated_fixed(model, optimizer, data):
    loader = DataLoader(data, batch_size=8, drop_last=True, collate_fn=by_repeated_fixed)
    for batch in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(batch).backward()
        xm.optimizer_step(optimizer)


def train_by_max_of_a_table(model, optimizer, data):
    loader = DataLoader(data, batch_size=8, drop_last=True, collate_fn=by_max_of_a_table)
    for batch in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(batch).backward()
        xm.optimizer_step(optimizer)


def train_on_both(model, optimizer, data):
    loader = DataLoader(data, batch_size=8, drop_last=True, collate_fn=on_both)
    for batch in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(batch).backward()
        xm.optimizer_step(optimizer)


def train_by_inner(model, optimizer, data):
    loader = DataLoader(data, batch_size=8, drop_last=True, collate_fn=by_inner)
    for batch in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(batch).backward()
        xm.optimizer_step(optimizer)
