"""The programs that are made of the seeds do what the seeds do: on things that stand for anything, the same happens."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.metamorphic import fakes, table
from tests.metamorphic.program import Program, Unfit
from tests.metamorphic.seed_files import all_seeds, seed
from tests.metamorphic.test_table import SAMPLE

# What main() starts is given its arguments by something out of sight, and not by us; test_shapes.py shows what it does.
STARTED = "main()"


def differing(code: str, step: int = 1, start: int = 0) -> list[str]:
    """The carriers and shapes in which something else happens than in the seed.

    A carrier may make the value a little earlier than what stands before it in the statement: there the order does not count.
    """
    of = seed(all_seeds()[code])
    found = []
    for number, kind in enumerate(("bad", "good")):
        texts = of.programs()[number].texts()
        entries = fakes.entries_of(texts[of.programs()[number].main])
        plain = fakes.run(texts, of.programs()[number].main, entries)
        assert any(not event.startswith("----") for event in plain)
        for carriers, shapes in table.columns(of).values():
            for column in [*carriers, *shapes][start::step]:
                program = _made(column, of.programs()[number])
                if program is None or column.name == STARTED or column.name in of.apart:
                    continue
                now = fakes.run(program.texts(), program.main, entries)
                is_same = now == plain if column in shapes else Counter(now) == Counter(plain)
                if not is_same:
                    found.append(f"{kind} {column.name}")
    return found


def _made(column: table.Column, program: Program) -> Program | None:
    try:
        return column.make(program)
    except Unfit:
        return None


@pytest.mark.parametrize(("position", "code"), list(enumerate(SAMPLE)))
def test_the_same_happens_in_some(position: int, code: str):
    assert differing(code, 6, position) == []


@pytest.mark.heavy
@pytest.mark.parametrize(("position", "code"), list(enumerate(all_seeds())))
def test_the_same_happens(position: int, code: str):
    """Every second column: a carrier is the same code for all rules, of which half see it."""
    assert differing(code, 2, position % 2) == []


def test_what_is_another_program_is_seen():
    entries = fakes.entries_of("def run(loader): pass")
    events = [
        fakes.run(
            {"train.py": f"import torch\n\n\ndef run(loader):\n    for each in loader:\n        {body}\n"}, "train.py", entries
        )
        for body in (
            "torch.save(each)",
            "torch.save(loader)",
            "torch.save(torch.zeros(each + 1))",
            "torch.save(torch.zeros(each - 1))",
        )
    ]
    assert len({tuple(each) for each in events}) == len(events)
    assert events[0] == ["----  run", "torch.save(loader[0])", "torch.save(loader[1])"]
