"""Safe repairs of correct programs, all rules at once: what a program computes stays what it was, up to rounding.

The programs are those of the other witnesses that return the numbers they train by: the correct ones as they are, those with a
mistake as they are when it is mended.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests import fixes
from tests.witness.running import observe, program, repaired
from trainlint.app.dev import expectations

STEPS = 40
#: Nothing is left to repair in these, once their mistake is mended: all rules agree that they are right.
LEFT_ALONE = ["another_key_each_step", "clipped_once", "double_sigmoid", "double_softmax", "saturated", "rounded_to_zero"]


def correct(name: str, folder: Path) -> Path:
    """A program without its mistake, alone in a folder."""
    folder.mkdir()
    if expectations.read_project(program(name)):
        return repaired(name, folder)
    return Path(shutil.copy(program(name), folder))


def everything(path: Path, folder: Path) -> Path:
    """A copy of a program after all safe repairs of all rules."""
    copy = Path(shutil.copytree(path.parent, folder)) / path.name
    fixes.command("check", "--isolated", "--no-cache", "--quiet", "--preview", "--select", "ALL", "--fix", str(folder))
    return copy


@pytest.mark.witness
@pytest.mark.parametrize("name", LEFT_ALONE)
def test_all_safe_repairs_keep_what_is_right(name: str, tmp_path: Path) -> None:
    path = correct(name, tmp_path / "before")
    losses = observe("losses", path, STEPS)
    assert observe("losses", everything(path, tmp_path / "after"), STEPS) == losses


@pytest.mark.witness
def test_a_program_in_the_ways_of_years_ago_is_rewritten_and_computes_the_same(tmp_path: Path) -> None:
    path = correct("old_ways", tmp_path / "before")
    (path.parent / "requirements.txt").write_text("torch>=2.6\n", encoding="utf-8")
    after = everything(path, tmp_path / "after")
    text = after.read_text(encoding="utf-8")
    old = ("set_to_none=False", "torch.range", "torch.cuda.amp", "size_average", "torch.log(F.softmax", "torch.log(1 +")
    assert [word for word in old if word in text] == []
    assert observe("losses", after, STEPS) == pytest.approx(observe("losses", path, STEPS), rel=1e-5)
