"""Machine-written text: more operands and branches than anyone writes, and a hanging collective in it or beside it."""

from __future__ import annotations

import sys

TERMS = 10_000
SUMMANDS = 2_000

# From 3.12 on no recursion limit lets CPython build a tree of 10,000 levels; before, a large stack does.
DEEP_TREES = sys.version_info < (3, 12)

HEAD = "import torch.distributed as dist\n\n\ndef save(rank, a):\n"
TAIL = "\n\nsave(dist.get_rank(), input())\n"


def guarded(statement: str) -> str:
    """A function in which only rank 0 runs ``statement``, in line 6 from column 9 on."""
    return f"{HEAD}    if rank == 0:\n        {statement}\n{TAIL}"


def beside(text: str) -> str:
    """A hang in line 6, and ``text`` from line 10 on."""
    return guarded("dist.barrier()") + text


def ands(count: int, last: str, operand: str = "a") -> str:
    return " and ".join([operand] * (count - 1) + [last])


def sums(count: int, last: str) -> str:
    return " + ".join(["a"] * (count - 1) + [last])


def pieces(count: int) -> str:
    return " ".join(["'a'"] * count)


def chain(count: int, end: str = "") -> str:
    return "a" + ".f()" * count + end


def elifs(count: int, test: str, last: str, indent: str = "") -> str:
    """An ``if`` with ``count`` further branches, ``last`` in the last one."""
    middle = "".join(f"{indent}elif {test} == {number}:\n{indent}    b = {number}\n" for number in range(10, count + 9))
    return f"{indent}if {test} == 9:\n{indent}    b = 9\n{middle}{indent}elif {test} == 0:\n{indent}    {last}\n"


def elif_function(count: int) -> str:
    """A rank test of ``count`` branches; in the last one, line ``2 * count + 6``, rank 0 hangs."""
    return HEAD + elifs(count, "rank", "dist.barrier()", "    ") + TAIL


def cases(count: int) -> str:
    """A ``match`` that would be as deep as it is long if each case were the ``else`` of the one before."""
    return "match a:\n" + "".join(f"    case {number}:\n        f({number})\n" for number in range(count))
