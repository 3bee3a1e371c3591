"""Where a rule offers its repair, and where it must not: the finding stands, but nobody can make it good in this place."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from trainlint import check_paths


class Case(NamedTuple):
    """A program, and whether each finding of the rule comes with a repair, in the order of lines."""

    name: str
    code: str
    offered: list[bool]
    source: str


LOOP = """
import torch


def train(model, loader, optimizer):
    for batch in loader:
        {inside}
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
"""
HALF = """
import torch


def train(model, loader):
    {half}
    optimizer = torch.optim.Adam(model.parameters())
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
"""
RECORDED = """
import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader


def padded(samples):
    return pad_sequence(samples, batch_first=True)


def train(model, data, optimizer, more):
    model = torch.compile(model, mode="reduce-overhead")
    loader = DataLoader(data, {given})
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
"""
GROUP = """
import torch.distributed as dist


def main():
    dist.init_process_group("nccl")
    print(dist.get_rank())


{call}
"""
CLEARED = """
def one(model, loader, optimizer):
    for batch in loader:
        model(batch).mean().backward()
        optimizer.zero_grad()
        optimizer.step()


def helper(optimizer):
    optimizer.step()


def two(model, loader, optimizer):
    for batch in loader:
        model(batch).mean().backward()
        optimizer.zero_grad()
        helper(optimizer)
"""
INNER = """
def train(model, loader, optimizer):
    for batch in loader:
        for part in batch:
            optimizer.zero_grad()
            model(part).mean().backward()
        optimizer.step()
"""
CASES = [
    Case("a reset that stands alone", "TL564", [True], LOOP.format(inside="torch._dynamo.reset()")),
    Case("a reset whose result is kept", "TL564", [False], LOOP.format(inside="done = torch._dynamo.reset()")),
    Case("a compilation that stands alone", "TL564", [False], LOOP.format(inside="torch.compile(model, dynamic=batch > 100)")),
    Case(
        "a compilation",
        "TL564",
        [False],
        LOOP.format(inside="fast = torch.compile(model, backend=lambda graph, inputs: graph.forward)"),
    ),
    Case("half", "TL407", [True], HALF.format(half="model.half()")),
    Case("half by a dtype", "TL407", [False], HALF.format(half="model.to(torch.float16)")),
    Case("half by a keyword", "TL407", [False], HALF.format(half="model.to(dtype=torch.float16)")),
    Case("the last batch", "TL562", [True], RECORDED.format(given="batch_size=8")),
    Case("all batches", "TL562", [False], RECORDED.format(given="batch_size=8, collate_fn=padded")),
    Case("started at the top", "TL124", [True], GROUP.format(call="main()")),
    Case("something behind it", "TL124", [False], GROUP.format(call="main()\nprint(1)")),
    Case("in a test", "TL124", [True], GROUP.format(call='if __name__ == "__main__":\n    main()')),
    Case("its result is kept", "TL124", [False], GROUP.format(call="result = main()")),
    Case("cleared in an inner loop", "TL702", [False], INNER),
    Case("a step in another function", "TL702", [True, False], CLEARED),
]


@pytest.mark.parametrize("case", CASES, ids=[each.name for each in CASES])
def test_repairs_are_offered_where_they_can_be_made(tmp_path: Path, case: Case) -> None:
    (tmp_path / "train.py").write_text(case.source.lstrip("\n"), encoding="utf-8")
    found = check_paths([tmp_path / "train.py"], select=[case.code])
    assert [each.repair is not None for each in found] == case.offered
