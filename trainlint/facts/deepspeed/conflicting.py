"""Configurations of DeepSpeed that ask for two precisions at once: in files, and in dictionaries of the code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.deepspeed.configurations import configurations
from trainlint.facts.deepspeed.stated import Stated, Statements, of_mapping
from trainlint.facts.deepspeed.uses import uses
from trainlint.facts.program import Program
from trainlint.finding import Spot


class Conflict(NamedTuple):
    """The two that switch a precision on, in the order of the file; ``statement`` is that of the call that gets a dictionary."""

    first: Stated
    second: Stated
    statement: Spot | None = None


def conflicts(program: Program) -> Iterator[Conflict]:
    """One for each configuration that has two of them on: of files in the program without modules, else of dictionaries."""
    if program.modules:
        for use in uses(program):
            if use.document is None and (on := _on(program, use.configuration)) is not None:
                yield Conflict(*on, use.site.call.statement)
        return
    for configuration in configurations(program):
        on = _on(program, of_mapping(configuration.document, configuration.mapping, program.knowledge))
        if on is not None:
            yield Conflict(*on)


def _on(program: Program, stated: Statements) -> tuple[Stated, Stated] | None:
    names = program.knowledge.tables["deepspeed.precision"]
    on = [stated[name] for name in names if name in stated and stated[name].value is True]
    first, second = sorted(on, key=lambda each: each.spot)[:2] if len(on) > 1 else (None, None)
    return (first, second) if first is not None and second is not None else None
