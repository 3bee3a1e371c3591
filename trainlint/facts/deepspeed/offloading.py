"""What a configuration of DeepSpeed asks of ZeRO that its stage does not do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.documents.document import Document
from trainlint.documents.tree import Item, Mapping
from trainlint.facts.deepspeed.configurations import configurations
from trainlint.facts.program import Program

#: The stage that partitions parameters, and the first that partitions anything.
PARAMETERS, FIRST = 3, 1


class Unused(NamedTuple):
    """Items that ``stage`` passes over, which only stages from ``needed`` on read; ``chosen`` says the stage, if any does."""

    document: Document
    items: tuple[Item, ...]
    stage: int
    needed: int
    chosen: Item | None


def unused(program: Program) -> Iterator[Unused]:
    """The settings of all configurations that their stage does not read."""
    table = program.knowledge.tables["deepspeed.zero"]
    for configuration in configurations(program):
        zero = configuration.mapping.mapping("zero_optimization")
        stage = None if zero is None else _stage(zero)
        if zero is None or stage is None:
            continue
        of_parameters = [item for item in zero.items if _moves(item, table["parameters"]) or _begins(item, table["prefixes"])]
        of_optimizer = [item for item in zero.items if _moves(item, table["optimizer"])]
        for items, needed in ((of_parameters, PARAMETERS), (of_optimizer, FIRST)):
            if items and stage < needed:
                yield Unused(configuration.document, tuple(items), stage, needed, zero.item("stage"))


def _stage(zero: Mapping) -> int | None:
    """The stage; 0 where none is said, as DeepSpeed has it. None for one that somebody else fills in (``auto``)."""
    if "stage" not in zero:
        return 0
    value = zero.value("stage")
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _moves(item: Item, keys: list[str]) -> bool:
    """Whether an item moves something to a device; ``none`` moves nothing, and ``auto`` is none to DeepSpeed."""
    if item.key.value not in keys or not isinstance(item.value, Mapping):
        return False
    device = item.value.value("device")
    return isinstance(device, str) and device.lower() not in ("none", "auto", "")


def _begins(item: Item, prefixes: list[str]) -> bool:
    return str(item.key.value).startswith(tuple(prefixes))
