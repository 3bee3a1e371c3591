"""What the batch system gives to a launch line: how many nodes, how many tasks on each, how many GPUs on each.

SLURM 24.05 (sbatch(1), srun(1)): what ``srun`` says itself counts before what ``#SBATCH`` says; a step has one task on each node
when nobody says more.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from trainlint.documents.shell import Directive
from trainlint.facts.launching.launches import Launch, Launcher
from trainlint.finding import Spot

#: Longer numbers count nothing.
_MOST_DIGITS = 6
_GRES = re.compile(r"gpu(?::[A-Za-z][\w.-]*)?:(\d+)")
_GPUS = re.compile(r"(?<![\w.-])(?:[A-Za-z][\w.-]*:)?(\d+)")


@dataclass(frozen=True)
class Said:
    """A number and where it is said; ``number`` is None when something is said that is no number."""

    number: int | None
    spot: Spot | None = None
    text: str = ""


_UNSAID = Said(None)


@dataclass(frozen=True)
class Allocation:
    """What a line runs on; numbers are None where that is not known. ``tasks`` and ``gpus`` are those of one node."""

    nodes: Said
    tasks: Said
    gpus: Said


def allocation(launch: Launch) -> Allocation | None:
    """What a line runs on; None where no batch system is in sight."""
    step = launch.launcher("srun")
    orders = [each for each in launch.script.directives if each.system == "#SBATCH"]
    if step is None and not orders:
        return None
    if step is not None and not launch.is_sure:
        return Allocation(_UNSAID, _UNSAID, _UNSAID)
    nodes = _first(step, orders, ("-N", "--nodes"))
    tasks = _tasks(step, orders, nodes)
    if step is not None and (total := _of_step(step, ("-n", "--ntasks"))) is not None and not _of_step(step, ("-N", "--nodes")):
        # So few tasks need no more nodes.
        if total.number is None:
            nodes = Said(None, total.spot)
        elif nodes.number is not None and total.number < nodes.number:
            nodes = total
    return Allocation(nodes, tasks, _gpus(step, orders, nodes))


def _tasks(step: Launcher | None, orders: list[Directive], nodes: Said) -> Said:
    """How many tasks start on each node."""
    for where in (step, orders):
        each, total = (_in(where, names) for names in (("--ntasks-per-node", "--tasks-per-node"), ("-n", "--ntasks")))
        if total is not None:
            count = nodes.number
            if total.number is None or not count or total.number % count:
                return each or Said(None, total.spot) if total.number is None else _few(total, count)
            return Said(total.number // count, total.spot, total.text)
        if each is not None:
            return each
        if _in(where, ("--ntasks-per-gpu", "--ntasks-per-socket", "--ntasks-per-core")) is not None:
            return _UNSAID
    return Said(1)


def _few(total: Said, nodes: int | None) -> Said:
    """The tasks of a node when they do not come out even."""
    return Said(1, total.spot, total.text) if total.number == 1 or (nodes or 0) > (total.number or 0) else _UNSAID


def _gpus(step: Launcher | None, orders: list[Directive], nodes: Said) -> Said:
    """How many GPUs each node gives."""
    for where in (step, orders):
        each = _in(where, ("--gpus-per-node",), _GPUS)
        if each is not None:
            return each
        listed = _in(where, ("--gres",), _GRES)
        if listed is not None:
            return listed
        total = _in(where, ("-G", "--gpus"), _GPUS)
        if total is not None:
            count = nodes.number if nodes.number is not None else None if nodes.spot is not None else 1
            even = total.number is not None and count and total.number % count == 0
            return Said(total.number // count, total.spot, total.text) if even and total.number and count else _UNSAID
        if _in(where, ("--gpus-per-task", "--gpus-per-socket", "--ntasks-per-gpu"), _GPUS) is not None:
            return _UNSAID
    return _UNSAID


def _first(step: Launcher | None, orders: list[Directive], names: tuple[str, ...]) -> Said:
    return _in(step, names) or _in(orders, names) or _UNSAID


def _in(where: Launcher | list[Directive] | None, names: tuple[str, ...], form: re.Pattern[str] | None = None) -> Said | None:
    """What is said by options of these names; None when nothing is."""
    if where is None:
        return None
    return _of_step(where, names, form) if isinstance(where, Launcher) else _of_orders(where, names, form)


def _of_step(step: Launcher, names: tuple[str, ...], form: re.Pattern[str] | None = None) -> Said | None:
    option = step.option(*names)
    return None if option is None else Said(_number(option.text or "", form), option.word.spot, option.word.written)


def _of_orders(orders: list[Directive], names: tuple[str, ...], form: re.Pattern[str] | None = None) -> Said | None:
    found = next((each for each in orders if each.option in names), None)  # of two that say the same the first counts for us
    if found is None or [each.value for each in orders if each.option == found.option] != [found.value]:
        return None if found is None else Said(None, found.spot)
    return Said(_number(found.value, form), found.spot, f"{found.system} {found.option}={found.value}")


def _number(text: str, form: re.Pattern[str] | None) -> int | None:
    match = (form or re.compile(r"(\d+)")).fullmatch(text.strip("\"'"))
    return int(match[1]) if match is not None and len(match[1]) <= _MOST_DIGITS else None
