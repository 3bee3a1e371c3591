"""A function that is too much for an analysis is said to be one (TL004), and hides nothing of what it calls."""

from __future__ import annotations

from pathlib import Path

from trainlint import check_paths
from trainlint.finding import Finding

#: Conditions in one order on rank 0 and in the other on the rest: every combination of them is another case.
MANY = 12


def program(conditions: int, first: str) -> str:
    """A function that runs ``first`` and then barriers under conditions, as many on rank 0 as on the others."""
    flags = [f"        if flags[{number}]:\n            dist.barrier()\n" for number in range(conditions)]
    return (
        "import torch.distributed as dist\n\n\n"
        "def lopsided(rank):\n    if rank == 0:\n        dist.barrier()\n\n\n"
        "def arrive(rank):\n    if rank != 0:\n        dist.barrier()\n\n\n"
        f"def work(rank, flags):\n{first}    if rank == 0:\n{''.join(flags)}    else:\n{''.join(reversed(flags))}"
    )


def found(folder: Path, source: str, select: str = "TL1,TL004") -> list[Finding]:
    """The findings in one file."""
    file = folder / "many.py"
    file.write_text(source)
    return check_paths([file], select=select.split(","))


def test_it_is_said_once_at_its_definition(tmp_path: Path) -> None:
    source = program(MANY, "") + "\n\nwork(dist.get_rank(), [True])\nwork(dist.get_rank(), [False])\n"
    limits = [each for each in found(tmp_path, source) if each.code == "TL004" and "`work`" in each.message]
    assert [(each.span.line, each.span.column) for each in limits] == [(14, 1)]
    assert "steps to compare" in limits[0].message


def test_few_conditions_are_compared(tmp_path: Path) -> None:
    assert [each for each in found(tmp_path, program(5, "")) if each.code == "TL004"] == []


def test_nothing_is_said_when_nobody_asks_for_ranks(tmp_path: Path) -> None:
    assert found(tmp_path, program(MANY, ""), "TL004,TL2") == []


def test_it_can_be_suppressed(tmp_path: Path) -> None:
    source = program(MANY, "").replace("def work(rank, flags):", "def work(rank, flags):  # trainlint: ignore[TL004]")
    assert [each for each in found(tmp_path, source) if each.code == "TL004"] == []


def test_what_it_calls_is_still_reported(tmp_path: Path) -> None:
    lines = {each.span.line for each in found(tmp_path, program(MANY, "    lopsided(rank)\n")) if each.code == "TL101"}
    assert 6 in lines


def test_what_may_be_made_good_in_it_is_not(tmp_path: Path) -> None:
    findings = found(tmp_path, program(MANY, "    lopsided(rank)\n    arrive(rank)\n"))
    assert [each.code for each in findings] == ["TL004"]


def loop(flags: int) -> str:
    """A training loop that clips under so many tests: each has done something else before the step."""
    clips = "".join(
        f"        if flags[{each}]:\n            torch.nn.utils.clip_grad_norm_(model.parameters(), {each})\n"
        for each in range(flags)
    )
    start = (
        "import torch\n\n\ndef train(model, loader, optimizer, flags):\n    for batch in loader:\n        loss = model(batch)\n"
    )
    return f"{start}{clips}        loss.backward()\n        optimizer.step()\n"


def test_a_round_with_too_many_ways_is_said(tmp_path: Path) -> None:
    (said,) = found(tmp_path, loop(40), "TL701,TL004")
    assert (said.code, said.span.line) == ("TL004", 4)
    assert said.message.startswith("`train` was not checked for the order of its training step")
    assert [each.code for each in found(tmp_path, loop(2), "TL701,TL004")] == ["TL701"]
