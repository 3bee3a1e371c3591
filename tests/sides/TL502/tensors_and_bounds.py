"""Which tensors of a step lie on the XLA device, which are masks, and which slices end where values say."""

import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
from torch import nn
from torch.autograd import Function


class Scaled(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def forward(self, x):
        return self.layer(x)


def valid_of(x):
    return x > 0


def both_of(x):
    return x > 0, x.shape[0]


def order_of(x):
    return x.argsort()


def again(x, left):
    """It calls itself: what comes of it nobody follows."""
    return x if left == 0 else again(x, left - 1)


def train(loader, optimizer, names, number, table, wide, places):
    device = torch_xla.device()
    model = Model().to(device)
    for x, y in pl.MpDeviceLoader(loader, device):
        optimizer.zero_grad()
        kinds = torch.unique(y)  # expect: TL502
        sorted_kinds = torch.unique(table)
        method_kinds = y.unique()  # expect: TL502
        method_table = table.unique()
        places_of = torch.where(y > 0)  # expect: TL502
        kept = torch.where(y > 0, y, 0)
        method_kept = y.where(y > 0, 0)
        picked = torch.masked_select(x, valid_of(y))  # expect: TL502
        by_compare = torch.relu(x[y > 0])  # expect: TL502
        by_helper = torch.relu(x[valid_of(y)])  # expect: TL502
        by_first = torch.relu(x[both_of(y)[0]])  # expect: TL502
        by_order = torch.relu(x[order_of(y)])
        by_identity = torch.relu(x[y is None])
        by_inverse = torch.relu(x[~(y > 0)])  # expect: TL502
        by_both = torch.relu(x[(y > 0) & (x.sum(-1) > 0)])  # expect: TL502
        by_bits = torch.relu(x[y & 7])
        by_choice = torch.relu(x[(y > 0) if wide else (y > 1)])  # expect: TL502
        by_choice_of_places = torch.relu(x[(y > 0) if wide else places])
        by_finite = torch.relu(x[torch.isfinite(x)])  # expect: TL502
        by_method_bool = torch.relu(x[y.bool()])  # expect: TL502
        by_other_type = torch.relu(x[y.to(torch.long)])
        by_squeezed = torch.relu(x[(y > 0).squeeze(-1)])  # expect: TL502
        by_squeezed_places = torch.relu(x[y.squeeze(-1)])
        by_table = torch.relu(table[table > 0])
        on_host = torch.relu(x.cpu()[y.cpu() > 0])
        moved = torch.nonzero(table.to(device))  # expect: TL502
        moved_like = torch.nonzero(table.to(x.device))  # expect: TL502
        typed_like = torch.nonzero(table.to(x.dtype))
        moved_away = torch.nonzero(x.to("cpu"))
        made_there = torch.nonzero(torch.arange(number, device=device))  # expect: TL502
        made_here = torch.nonzero(torch.arange(number))
        made_elsewhere = torch.nonzero(torch.arange(number, device="cpu"))
        by_autograd = torch.nonzero(Scaled.apply(x))  # expect: TL502
        by_model = torch.nonzero(model(x))  # expect: TL502
        by_pair = torch.nonzero((x, number)[0])  # expect: TL502
        by_pair_number = torch.nonzero((table, x)[0])
        by_repeated = torch.nonzero(again(x, 3))
        loss = model(x).sum()
        print(
            kinds, sorted_kinds, method_kinds, method_table, places_of, kept, method_kept, picked, by_compare, by_helper,
            by_first, by_order, by_identity, by_inverse, by_both, by_bits, by_choice, by_choice_of_places, by_finite,
            by_method_bool, by_other_type, by_squeezed, by_squeezed_places, by_table, on_host, moved, moved_like,
            typed_like, moved_away, made_there, made_here, made_elsewhere, by_autograd, by_model, by_pair, by_pair_number,
            by_repeated, names,
        )
        loss.backward()
        xm.optimizer_step(optimizer)


def longest_of(lengths):
    return lengths.max()


def known_of(lengths):
    return lengths.shape[0]


def slices(loader, optimizer, lengths_of):
    device = torch_xla.device()
    model = Model().to(device)
    for x, lengths in pl.MpDeviceLoader(loader, device):
        optimizer.zero_grad()
        by_max = model(x[:, : lengths.max()])  # expect: TL502
        by_first_axis = model(x[: lengths.max()])  # expect: TL502
        by_shape = model(x[:, : x.shape[1] // 2])
        by_item = model(x[:, : lengths.max().item()])  # expect: TL502
        by_int = model(x[:, : int(lengths.max())])  # expect: TL502
        by_int_of_shape = model(x[:, : int(x.shape[1] / 2)])
        by_helper = model(x[:, : longest_of(lengths)])  # expect: TL502
        by_known = model(x[:, : known_of(lengths)])
        by_sum = model(x[:, : lengths.max() + 1])  # expect: TL502
        by_number = model(x[:, :7])
        by_setting = model(x[:, : lengths_of["all"]])
        by_batch_item = model(x[:, :lengths])
        from_values = model(x[:, lengths.min() :])  # expect: TL502
        rows = [model(row[: int(length)]) for row, length in zip(x, lengths)]
        loss = by_max + by_first_axis + by_shape + by_item + by_int + by_int_of_shape + by_helper + by_known + by_sum
        loss = loss + by_number + by_setting + by_batch_item + from_values + sum(rows)
        loss.sum().backward()
        xm.optimizer_step(optimizer)
