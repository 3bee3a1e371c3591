"""Time grows with the size of a file, whatever stands in it: machine-written programs at one size and at four times that."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable

import pytest

from tests.fuzz.bench import analyser, raising
from trainlint.app.engine.garbage import uncollected

HEAD = "import torch\nimport torch.distributed as dist\nimport torch.nn as nn\n"
SMALL, TIMES = 200, 4
#: Four times as large may take so many times as long, and so many seconds more, which a cold start or another program may cost.
MOST, SECONDS = 8.0, 1.0


def lines(text: str, count: int, first: int = 0) -> str:
    """A text for each number, ``@`` being the number and ``<`` the one before."""
    return "".join(text.replace("@", str(number)).replace("<", str(number - 1)) for number in range(first, count))


def mutual(count: int) -> str:
    text = "def f{0}(x):\n    if x:\n        return f{1}(x - 1)\n    dist.barrier()\n    return f{2}(x)\n"
    return "".join(text.format(i, (7 * i + 1) % count, (i + 1) % count) for i in range(count)) + "f0(dist.get_rank())\n"


PROGRAMS: dict[str, Callable[[int], str]] = {
    "functions": lambda n: lines("def f@(x):\n    y = torch.zeros(3)\n    dist.all_reduce(y)\nf@(1)\n", n),
    "calls in a chain": lambda n: "def f0(x):\n    dist.barrier()\n" + lines("def f@(x):\n    return f<(x)\n", n, 1) + "f9(1)\n",
    "mutual recursion": mutual,
    "branches": lambda n: "def f(x):\n" + lines("    if x[@]:\n        dist.all_reduce(x)\n", n) + "f(input())\n",
    "returns": lambda n: "def f(x):\n" + lines("    if x == @:\n        return @\n", n) + "    dist.barrier()\nf(1)\n",
    "cases": lambda n: "def f(x):\n    match x:\n" + lines("        case @:\n            dist.barrier()\n", n) + "f(1)\n",
    "names for names": lambda n: "a0 = torch.zeros(3)\n" + lines("a@ = a<\n", n, 1) + f"dist.all_reduce(a{n - 1})\n",
    "classes with the same methods": lambda n: lines("class C@(nn.Module):\n    def step(self, x):\n        dist.barrier()\n", n),
    "layers": lambda n: (
        "class M(nn.Module):\n    def __init__(self):\n"
        + lines("        self.a@ = nn.Linear(@, 2)\n", n)
        + "    def forward(self, x):\n"
        + lines("        x = self.a@(x)\n", n)
        + "        return x\nm = M()\nm(1).backward()\n"
    ),
    "a dictionary": lambda n: "D = {" + lines("'k@': torch.zeros(@), ", n) + "}\ndist.all_reduce(D['k1'])\n",
    "loops": lambda n: "def f(x):\n" + lines("    for b in x:\n        dist.all_reduce(b)\n", n) + "f(1)\n",
    "conditional values": lambda n: (
        "def f(x):\n    y = x\n" + lines("    y = y if x[@] else y * @\n", n) + "    dist.all_reduce(y)\nf(1)\n"
    ),
    "callers": lambda n: "def f(x, y):\n    dist.all_reduce(x)\n" + lines("def g@(x):\n    f(x, @)\ng@(1)\n", n),
    "tries": lambda n: (
        "def f(x):\n" + lines("    try:\n        x = torch.load('p@')\n    except OSError:\n        x = None\n", n)
    ),
    "comments": lambda n: lines("torch.load('p@.pt')  # trainlint: ignore[TL601]\n", n),
    "lambdas": lambda n: "f0 = lambda x: dist.barrier()\n" + lines("f@ = lambda x: f<(x)\n", n, 1) + "f9(1)\n",
}


def seconds(text: str) -> float:
    gc.collect()  # what other tests have left is not to be looked through meanwhile
    with uncollected(), raising():
        started = time.process_time()
        analyser({"a.py": (HEAD + text).encode()}).run()
        return time.process_time() - started


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    seconds(mutual(20))


@pytest.mark.heavy
@pytest.mark.skipif(os.name == "nt", reason="its clock is too coarse")
@pytest.mark.parametrize("name", PROGRAMS)
def test_four_times_as_much_takes_about_four_times_as_long(name: str) -> None:
    seconds(PROGRAMS[name](20))
    small, large = (seconds(PROGRAMS[name](size)) for size in (SMALL, SMALL * TIMES))
    assert large <= MOST * small + SECONDS, (small, large)
