"""Each fault that is planted in the analysis is seen by the score."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path

import pytest

from tests.oracle.faults import FAULTS, Fault
from tests.oracle.generator import generate
from tests.oracle.interpreter import judge
from tests.oracle.program import Program
from tests.oracle.scorer import Result, analyse

pytestmark = [pytest.mark.oracle, pytest.mark.heavy]

FIRST = 20_000
PROGRAMS = 120
#: So many programs must notice, more than are judged better; at a number that chance does not make of so few, no more are asked.
FEWEST, CERTAIN = 2, 10


def programs(construct: str) -> Iterator[Program]:
    """Programs that contain a construct."""
    return (program for program in map(generate, count(FIRST)) if construct in program.constructs)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_the_score_falls(fault: Fault, tmp_path: Path) -> None:
    lost = won = 0
    for program in islice(programs(FAULTS[fault]), PROGRAMS):
        folder = tmp_path / str(program.seed)
        verdict = judge(program)
        sound = Result(program, verdict, analyse(program, folder))
        with pytest.MonkeyPatch.context() as patch:
            fault(patch)
            broken = Result(program, verdict, analyse(program, folder))
        lost += sound.right and not broken.right
        won += broken.right and not sound.right
        if lost - won >= CERTAIN:
            break
    assert lost - won >= FEWEST, f"{lost} programs notice, {won} are judged better"
