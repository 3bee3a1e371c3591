"""What a compiled function does that breaks its graph, and what the compiler takes in."""

import logging
import random
import time

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

logger = logging.getLogger(__name__)


@torch.compile
def by_annotation(x: torch.Tensor):
    if x.sum() > 0:  # expect: TL560
        return x
    return -x


@torch.compile
def by_other_annotation(x: float):
    if x > 0:
        return x
    return -x


@torch.compile
def by_unknown(x):
    if x > 0:
        return x
    return -x


@torch.compile
def by_method(x):
    """It has a tensor's method: it is one."""
    y = x.softmax(-1)
    if x.sum() > 0:  # expect: TL560
        return y
    return -y


@torch.compile
def by_function(x):
    y = F.relu(x)
    if x.sum() > 0:  # expect: TL560
        return y
    return -y


@torch.compile
def by_shape(x: torch.Tensor):
    if x.shape[0] > 3 or x.dim() == 2 or x.is_cuda:
        return x
    return -x


@torch.compile
def by_identity(x: torch.Tensor, y=None):
    if y is None:
        return x
    return -x


@torch.compile
def by_membership(x: torch.Tensor, names=("a",)):
    if "a" in names:
        return x
    return -x


@torch.compile
def by_attribute(x: torch.Tensor):
    if x.T.sum() > 0:  # expect: TL560
        return x
    return -x


@torch.compile
def by_flag(x: torch.Tensor):
    if x.is_sparse:
        return x.to_dense()
    return -x


@torch.compile
def by_asking_method(x: torch.Tensor):
    if x.is_floating_point():
        return x
    return -x


@torch.compile
def by_item(x: torch.Tensor):
    if x[0] > 0:  # expect: TL560
        return x
    return -x


@torch.compile
def by_pair(x: torch.Tensor):
    pair = (x.sum(), x.shape[0])
    if pair[0] > 0:  # expect: TL560
        return x
    return -x


@torch.compile
def by_second_of_pair(x: torch.Tensor):
    pair = (x.sum(), x.shape[0])
    if pair[1] > 0:
        return x
    return -x


@torch.compile
def by_matrix_product(x: torch.Tensor, y):
    if (x @ y).sum() > 0:  # expect: TL560
        return x
    return -x


@torch.compile
def by_inverse(x: torch.Tensor):
    if (~x).all():  # expect: TL560
        return x
    return -x


@torch.compile
def by_choice(x: torch.Tensor, wide: bool):
    y = x.sum() if wide else x.mean()
    if y > 0:  # expect: TL560
        return x
    return -x


@torch.compile
def by_choice_of_number(x: torch.Tensor, wide: bool):
    """One of both is a number."""
    y = x.sum() if wide else 1.0
    if y > 0:
        return x
    return -x


@torch.compile
def by_loop(x: torch.Tensor, rounds: int):
    total = x.sum()
    for _ in range(rounds):
        total = total + x.mean()
    if total > 0:  # expect: TL560
        return x
    return -x


@torch.compile
def by_loop_from_zero(x: torch.Tensor, rounds: int):
    """Behind a round it is a tensor, whatever it was before."""
    total = 0
    for _ in range(rounds):
        total = total + x.mean()
    if total > 0:  # expect: TL560
        return x
    return -x


@torch.compile
def by_while(x: torch.Tensor):
    while x.sum() > 0:  # expect: TL560
        x = x - 1
    return x


@torch.compile
def by_several(x: torch.Tensor):
    """Several results: the pair itself is no tensor."""
    found = torch.max(x, dim=0)
    if found.values.sum() > 0:  # expect: TL560
        return x
    return -x


def halved(x):
    return x / 2


def halved_and_count(x):
    return x / 2, x.shape[0]


def halves(x):
    yield x / 2


def again(x, left):
    return x if left == 0 else again(x, left - 1)


@torch.compile
def by_helper(x: torch.Tensor):
    if halved(x).sum() > 0:  # expect: TL560
        return x
    return -x


@torch.compile
def by_first_of_helper(x: torch.Tensor):
    if halved_and_count(x)[0].sum() > 0:  # expect: TL560
        return x
    return -x


@torch.compile
def by_second_of_helper(x: torch.Tensor):
    if halved_and_count(x)[1] > 0:
        return x
    return -x


@torch.compile
def by_unpacked_helper(x: torch.Tensor):
    y, count = halved_and_count(x)
    if y.sum() > 0:  # expect: TL560
        return y
    if count > 3:
        return x
    return -x


@torch.compile
def by_generator(x: torch.Tensor):
    if halves(x):
        return x
    return -x


@torch.compile
def makes_one(size: int):
    noise = torch.randn(size)
    if noise.sum() > 0:  # expect: TL560
        return noise
    return -noise


@torch.compile
def asks_settings(x: torch.Tensor):
    if torch.is_grad_enabled():
        return x
    return -x


@torch.compile
def asserts(x: torch.Tensor):
    assert (x > 0).all()
    return x


@torch.compile
def asserts_not(x: torch.Tensor):
    assert not torch.isnan(x).any()  # expect: TL560
    return x


@torch.compile
def to_number(x: torch.Tensor):
    scale = x.max().item()  # expect: TL560
    return x / scale


@torch.compile
def to_number_of_unknown(x, table):
    scale = table.item()
    return x / scale


@torch.compile
def to_list(x: torch.Tensor):
    parts = x.tolist()  # expect: TL560
    return parts


@torch.compile
def to_float(x: torch.Tensor):
    return x / float(x.max())  # expect: TL560


@torch.compile
def to_int_of_base(x: torch.Tensor, text: str):
    """A text, in another base."""
    return x / int(text, 16)


@torch.compile
def to_float_of_shape(x: torch.Tensor):
    return x / float(x.shape[0])


@torch.compile
def picks(x: torch.Tensor):
    return x[x > 0].mean()  # expect: TL560


@torch.compile
def picks_both(x: torch.Tensor, y: torch.Tensor):
    return x[(x > 0) & (y > 0)].mean()  # expect: TL560


@torch.compile
def picks_either(x: torch.Tensor, y: torch.Tensor):
    return x[(x > 0) | (y > 0)].mean()  # expect: TL560


@torch.compile
def picks_inverted(x: torch.Tensor):
    return x[~(x > 0)].mean()  # expect: TL560


@torch.compile
def picks_finite(x: torch.Tensor):
    return x[torch.isfinite(x)].mean()  # expect: TL560


@torch.compile
def picks_inverted_places(x: torch.Tensor, places: torch.Tensor):
    """Inverted places are places."""
    return x[~places].mean()


@torch.compile
def picks_shifted(x: torch.Tensor, places: torch.Tensor):
    return x[places + 1].mean()


@torch.compile
def picks_sorted(x: torch.Tensor):
    return x[torch.argsort(x)].mean()


@torch.compile
def picks_by_place(x: torch.Tensor):
    return x[0].mean()


@torch.compile
def sizes_by_method(x: torch.Tensor):
    return x.nonzero()  # expect: TL560


@torch.compile
def sizes_by_method_of_unknown(x, table):
    return table.nonzero()


@torch.compile
def sizes_by_where(x: torch.Tensor):
    return torch.where(x > 0)  # expect: TL560


@torch.compile
def keeps_size_by_where(x: torch.Tensor):
    return torch.where(x > 0, x, 0.0)


@torch.compile
def by_library_method(x: torch.Tensor):
    return x.unique()  # expect: TL560


@torch.compile(fullgraph=True)
def whole(x: torch.Tensor):
    if x.sum() > 0:
        return x
    return -x


@torch.compile(fullgraph=False)
def not_whole(x: torch.Tensor):
    if x.sum() > 0:  # expect: TL560
        return x
    return -x


@torch.compile(disable=True)
def left_out(x: torch.Tensor):
    if x.sum() > 0:
        return x
    return -x


def compiled_by_options(options):
    return torch.compile(told_by_options, **options)


def told_by_options(x: torch.Tensor):
    """The options may say that all is to be one graph, or none."""
    return x / x.max().item()


def compiled_perhaps_whole(whole_graph):
    return torch.compile(perhaps_whole, fullgraph=whole_graph)


def perhaps_whole(x: torch.Tensor):
    return x / x.max().item()


@torch.compile
def checks(x: torch.Tensor, y=None):
    if y is None:
        raise ValueError("both")
    if x.sum() > 0:  # expect: TL560
        return x
    return y


@torch.compile
def under_a_flag(x: torch.Tensor, debug: bool = False):
    if debug:
        print(x)
        return x / x.max().item()
    return x


@torch.compile
def under_a_number(x: torch.Tensor, level=1):
    if level == 2:
        return x / x.max().item()
    return x


@torch.compile
def says(x: torch.Tensor):
    print("in", x.shape)  # expect: TL560
    return x


@torch.compile
def says_what_it_keeps(x: torch.Tensor):
    said = print("in", x.shape)  # expect: TL560
    return x, said


@torch.compile
def says_where_nothing_is_given(x: torch.Tensor, y=None):
    """It says so where nothing was given: seldom."""
    if y is None:
        print("nothing given")
    return x


@torch.compile
def times(x: torch.Tensor):
    begin = time.time()  # expect: TL560
    return x + begin


@torch.compile
def draws(x: torch.Tensor):
    return x * random.random() + np.random.rand()  # expect: TL560


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)
        self.calls = 0
        self.rate = 1.0
        self.shift = self.layer.in_features
        self.last = 0
        self.other = 0
        self.register_buffer("seen", torch.zeros(()))
        self.weight = nn.Parameter(torch.ones(3))

    def forward(self, x):
        self.calls += 1  # expect: TL560
        self.rate += 1
        self.shift += 1
        self.last = x.shape[0] + 1
        self.other = self.calls
        self.seen += 1
        if self.training:
            print("training")  # expect: TL560
        if self.weight.sum() > 0:  # expect: TL560
            return self.layer(x)
        return self.layer(x) * 2

    def count(self):
        self.last = self.last - 1


class Keeper:
    """No module: a plain object that counts."""

    def __init__(self):
        self.calls = 0

    @torch.compile
    def run(self, x: torch.Tensor):
        self.calls += 1
        return x


counter = torch.compile(Counter())


def test_eager(x: torch.Tensor):
    return x / x.max().item()
