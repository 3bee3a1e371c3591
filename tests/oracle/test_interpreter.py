"""The interpreter itself, on programs whose fate is plain."""

from __future__ import annotations

import pytest

from tests.oracle.inputs import Inputs
from tests.oracle.interpreter import Broken, Interpreter, Verdict, judge
from tests.oracle.program import Program, from_text

pytestmark = pytest.mark.oracle

HEAD = """import argparse
import os
import torch
import torch.distributed as dist

parser = argparse.ArgumentParser()
parser.add_argument("--flag", action="store_true")
parser.add_argument("--rounds", type=int)
args = parser.parse_args()
rank = dist.get_rank()
tensor = torch.ones(1)
group = dist.new_group([0, 1])
"""


def verdict(body: str) -> Verdict:
    return judge(from_text(HEAD + body))


@pytest.mark.parametrize(
    "body",
    [
        "dist.barrier()\n",
        "if rank:\n    dist.barrier()\nprint('work')\nif not rank:\n    dist.barrier()\n",
        "if args.flag:\n    dist.barrier()\n",
        "if rank in (0, 1):\n    dist.barrier(group=group)\n",
        "dist.all_reduce(tensor, group=group)\n",  # torch warns those who are not in the group
        "dist.all_reduce(tensor)\nif tensor.item() == 4:\n    dist.barrier()\n",
        "for turn in range(4):\n    if turn == rank:\n        print(turn)\n    dist.barrier()\n",
        "try:\n    if rank == 0:\n        raise ValueError\nexcept ValueError:\n    pass\nfinally:\n    dist.barrier()\n",
        "box = [rank]\ndist.broadcast_object_list(box, src=2)\nif box[0] == 2:\n    dist.barrier()\n",
        "found = [None] * 4\ndist.all_gather_object(found, rank)\nassert found == [0, 1, 2, 3]\n",
        "tensor[0] = float(os.path.exists('x'))\ndist.all_reduce(tensor)\nif tensor.item():\n    dist.barrier()\n",
        "if os.path.exists('x'):\n    raise RuntimeError('bad data ends the whole job')\ndist.barrier()\n",
        "if args.flag:\n    raise RuntimeError('on all ranks')\ndist.barrier()\n",
        "try:\n    torch.load('x')\n    dist.barrier()\nexcept OSError:\n    pass\n",  # it fails on all ranks
    ],
)
def test_nobody_waits_for_ever(body: str) -> None:
    assert verdict(body).kind is None


@pytest.mark.parametrize(
    ("body", "how", "collective"),
    [
        ("if rank == 0:\n    dist.barrier()\n", "missing", 14),
        ("if rank and args.flag:\n    dist.barrier()\n", "missing", 14),
        ("if rank:\n    dist.barrier()\nelse:\n    dist.all_reduce(tensor)\n", "other", 14),
        ("if rank == 0:\n    dist.barrier(group=group)\n", "group", 14),
        ("for _ in range(rank):\n    dist.barrier()\n", "missing", 14),
        ("if rank == 3:\n    raise SystemExit\ndist.barrier()\n", "missing", 15),
        ("tensor[0] = rank\nif tensor.item() > 1:\n    dist.barrier()\n", "missing", 15),
        ("if rank == 3:\n    raise RuntimeError\ndist.barrier()\n", "missing", 15),
    ],
)
def test_somebody_waits_for_ever(body: str, how: str, collective: int) -> None:
    found = verdict(body)
    assert (found.kind, found.how) == ("rank", how)
    assert ("main.py", collective) in found.collectives


@pytest.mark.parametrize(
    "body",
    [
        "if os.path.exists('x'):\n    dist.barrier()\n",
        "try:\n    torch.load(f'x@{rank}')\n    dist.barrier()\nexcept OSError:\n    pass\n",
        "model = torch.nn.Linear(1, 1)\nfor _ in range(2):\n    if model(tensor) > 0.3:\n        continue\n    dist.barrier()\n",
    ],
)
def test_somebody_waits_because_data_differs(body: str) -> None:
    assert verdict(body).kind == "data"


def test_it_names_the_guard() -> None:
    found = verdict("print('all')\nif rank:\n    print('no matter')\nif rank == 0:\n    dist.barrier()\n")
    assert ("main.py", 16) in found.guards


def test_a_barrier_that_meets_a_later_one_is_named_too() -> None:
    found = verdict("if rank == 0:\n    dist.barrier()\nprint('work')\ndist.barrier()\n")
    assert {("main.py", 14), ("main.py", 16)} <= found.collectives


def test_a_program_with_a_mistake_of_another_kind_is_refused() -> None:
    with pytest.raises(Broken):
        verdict("print(unknown)\n")


def test_packages_are_loaded_as_python_does() -> None:
    main = [
        "from . import near",
        "from .near import meet as m",
        "import job.near as n",
        "assert n.meet is m is near.meet",
        "m()",
    ]
    meet = "import torch.distributed as dist\n\ndef meet():\n    dist.barrier()\n"
    files = {"job/__init__.py": "", "job/near.py": meet, "job/main.py": "\n".join(main)}
    interpreter = Interpreter(Program(files, "job/main.py"))
    outcome = interpreter.run(Inputs({}, 0, even=True))
    assert not outcome.hangs
    assert not outcome.errors
