"""The counterparts of the generated programs of the MPI Bugs Initiative, by its classes of errors in collectives.

The classes and what distinguishes a wrong program from its correct neighbour are facts of that suite (see README.md); the
programs are written here, for torch.distributed. A statement at which the ranks do not agree is marked ``# wrong``.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from tests.mpi_suite.collectives import ALL, ASYNC, BLOCKING, Collective

HEAD = """import sys

import torch
import torch.distributed as dist


def main():
    rank = dist.get_rank()
    world_size = dist.get_world_size()
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    dtype = torch.float32
"""


@dataclass(frozen=True)
class Case:
    """One program; it is wrong if a line of it is marked."""

    group: str
    name: str
    text: str

    @property
    def wrong(self) -> bool:
        """Whether the ranks of this program do not agree, or it does not do what it says."""
        return "# wrong" in self.text


def cases() -> Iterator[Case]:
    """All of them."""
    for make in (_order, _missing, _input, _point_to_point, _group, _root, _operator, _dtype, _invalid, _unwaited, _overwritten):
        yield from make()


def _program(group: str, name: str, *parts: list[str] | str) -> Case:
    lines = [line for part in parts for line in ([part] if isinstance(part, str) else part)]
    return Case(group, name, HEAD + "".join(f"    {line}\n" for line in lines))


def _block(head: str, body: list[str]) -> list[str]:
    return [head, *(f"    {line}" for line in body or ["pass"])]


def _order() -> Iterator[Case]:
    for one in ALL:
        body = one.statements(1, wrong=False)
        yield _program("order", f"{one.name}_once", one.buffers(1), _block("if rank < world_size:", body))
    for one, two in itertools.product(ALL, ALL):
        buffers = [*one.buffers(1), *two.buffers(2)]
        straight = [*one.statements(1, wrong=False), *two.statements(2, wrong=False)]
        yield _program("order", f"{one.name}_then_{two.name}", buffers, _block("if rank < world_size:", straight))
        if one is two:
            continue
        # A call that is waited for later is the same operation as one that waits; with MPI it is not.
        wrong = one.operation != two.operation
        left = [*one.statements(1, wrong=wrong), *two.statements(2, wrong=wrong)]
        right = [*two.statements(2, wrong=wrong), *one.statements(1, wrong=wrong)]
        arms = [*_block("if rank % 2:", left), *_block("else:", right)]
        yield _program("order", f"{one.name}_against_{two.name}", buffers, arms)


def _missing() -> Iterator[Case]:
    for one in ALL:
        yield _program("missing", f"{one.name}_bad", one.buffers(1), _block("if rank % 2:", one.statements(1, wrong=True)))
        yield _program("missing", f"{one.name}_good", one.buffers(1), one.statements(1, wrong=False))


def _input() -> Iterator[Case]:
    """One side runs the collective or not, as a number says that the program was called with."""
    for one in BLOCKING:
        for wrong in (True, False):
            call = one.statements(1, wrong=wrong)
            choice = [*_block("if number % 2 == 0:", [] if wrong else call), *_block("else:", call)]
            arms = [*_block("if rank == 0:", choice), *_block("else:", call)]
            yield _program("input", f"{one.name}_{'bad' if wrong else 'good'}", one.buffers(1), arms)


def _point_to_point() -> Iterator[Case]:
    sends = {"send": ["dist.send(message, 1)"], "isend": ["request = dist.isend(message, 1)", "request.wait()"]}
    receives = {"recv": ["dist.recv(message, 0)"], "irecv": ["request = dist.irecv(message, 0)", "request.wait()"]}
    for (send, sent), (receive, received), one in itertools.product(sends.items(), receives.items(), BLOCKING):
        for wrong in (True, False):
            call = one.statements(1, wrong=wrong)
            first = [*call, *sent] if wrong else [*sent, *call]
            second = [received[0] + "  # wrong" * wrong, *received[1:], *call]
            arms = [*_block("if rank == 0:", first), *_block("elif rank == 1:", second), *_block("else:", call)]
            name = f"{receive}_{send}_{one.name}_{'bad' if wrong else 'good'}"
            yield _program("point to point", name, "message = torch.ones(4)", one.buffers(1), arms)


def _group() -> Iterator[Case]:
    for one in ALL:
        call = one.statements(1, wrong=True, group="everybody")
        other = _block("if rank % 2:", ["everybody = dist.group.WORLD"])
        yield _program("group", f"{one.name}_bad", one.buffers(1), "everybody = dist.new_group()", other, call)
        call = one.statements(1, wrong=False, group="everybody")
        yield _program("group", f"{one.name}_good", one.buffers(1), "everybody = dist.new_group()", call)


def _changed(group: str, one: Collective, before: str, after: str, **arguments: str) -> Iterator[Case]:
    """With a value that is another on odd ranks, and with the same on all."""
    for wrong in (True, False):
        change = _block("if rank % 2:", [after]) if wrong else []
        call = one.statements(1, wrong=wrong, **arguments)
        yield _program(group, f"{one.name}_{'bad' if wrong else 'good'}", before, change, one.buffers(1), call)


def _root() -> Iterator[Case]:
    for one in ALL:
        if one.has_root:
            yield from _changed("root", one, "root = 0", "root = 1", root="root")


def _operator() -> Iterator[Case]:
    for one in ALL:
        if one.has_op:
            yield from _changed("operator", one, "op = dist.ReduceOp.SUM", "op = dist.ReduceOp.MAX", op="op")


def _dtype() -> Iterator[Case]:
    for one in ALL:
        if one.has_tensor:
            yield from _changed("datatype", one, "dtype = torch.int32", "dtype = torch.float64")


def _invalid() -> Iterator[Case]:
    """Arguments that every rank refuses at once: nobody waits."""
    for one in ALL:
        if one.has_root:
            for name, root in (("negative", "-1"), ("too_large", "world_size")):
                call = one.statements(1, wrong=True, root="root")
                yield _program("invalid argument", f"{one.name}_root_{name}", one.buffers(1), f"root = {root}", call)
        if one.has_op:
            call = one.statements(1, wrong=True, op="None")
            yield _program("invalid argument", f"{one.name}_no_operator", one.buffers(1), call)
        if one.has_tensor:
            call = one.statements(1, wrong=True)
            yield _program("invalid argument", f"{one.name}_no_tensor", one.buffers(1), "x1 = None", call)


def _unwaited() -> Iterator[Case]:
    for one in ASYNC:
        issued = one.issued(1)
        yield _program("never waited for", f"{one.name}_bad", one.buffers(1), issued + "  # wrong")
        yield _program("never waited for", f"{one.name}_good", one.buffers(1), issued, one.waited(1))


def _overwritten() -> Iterator[Case]:
    for one in ASYNC:
        if one.has_tensor:
            issued, waited = one.issued(1), one.waited(1)
            yield _program("overwritten", f"{one.name}_bad", one.buffers(1), issued, "x1 += 1  # wrong", waited)
            yield _program("overwritten", f"{one.name}_good", one.buffers(1), issued, waited, "x1 += 1")
