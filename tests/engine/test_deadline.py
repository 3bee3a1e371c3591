"""Runs that have to end before they are through: what they say is right, what they leave is said, and the next goes on."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from tests.engine.warm import Looks, check, told
from trainlint.app.engine.result import Result
from trainlint.app.engine.timing import Profile
from trainlint.app.report.json_format import as_object
from trainlint.spmd import uniform_check

SAMPLES = Path(__file__).resolve().parents[2] / "sample_repos"
TRAIN = """
import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler


def main(rank, model, data, optimizer):
    loader = DataLoader(data, sampler=DistributedSampler(data))
    for epoch in range(3):
        for batch in loader:
            model(batch).sum().backward()
            optimizer.step()
    if rank == 0:
        dist.barrier()
    print(1)  # noqa: TL115
"""


def hurried(root: Path, looks: int, *, kept: bool = True) -> Result:
    return check(root, (), kept=kept, deadline=Looks(looks))


def lines(result: Result) -> list[str]:
    return [str(sorted(as_object(finding).items())) for finding in result.findings]


@pytest.mark.parametrize(("seed", "least"), [(0, 40_000), (1, 40_000), (2, 60)])
def test_run_by_run_it_comes_to_what_one_run_finds(cached: Path, monkeypatch: pytest.MonkeyPatch, seed: int, least: int) -> None:
    """Also where functions are too much for the rules that compare ranks."""
    monkeypatch.setattr(uniform_check, "_EACH", 25 if least > 60 else 0)
    monkeypatch.setattr(uniform_check, "_LEAST", least)
    chance = random.Random(seed)  # noqa: S311
    folders = sorted(folder for folder in SAMPLES.iterdir() if folder.is_dir())
    for folder in chance.sample(folders, 2):
        shutil.copytree(folder, cached / folder.name)
    cold = check(cached, (), kept=False)
    assert (cold.statistics["functions given up"] > 0) is (least == 60)
    looks, runs, seen = chance.randrange(20, 60), 0, 0
    while True:
        done = hurried(cached, looks)
        runs += 1
        if not done.unjudged:
            break
        found = lines(done)
        assert set(found) <= set(lines(cold))
        assert len(found) >= seen, "what was judged is not judged again"
        seen = len(found)
        if not done.goes_on:  # one rule takes longer than this
            looks = looks * 3 // 2
        assert runs < 500
    assert runs > 2
    assert told(done) == told(cold)
    assert check(cached, (), kept=True).statistics["files judged"] == 0


def test_what_was_left_is_not_taken_for_judged_after_an_edit(cached: Path) -> None:
    (cached / "train.py").write_text(TRAIN)
    looks = next(n for n in range(1, 500) if (done := hurried(cached, n, kept=False)).findings and done.unjudged)
    assert hurried(cached, looks).unjudged
    (cached / "train.py").write_text("# moved\n" + TRAIN)
    whole = check(cached, (), kept=True)
    assert not whole.unjudged
    assert told(whole) == told(check(cached, (), kept=False))


def test_no_comment_is_called_unused_while_rules_are_left(cached: Path) -> None:
    (cached / "train.py").write_text(TRAIN)
    assert "TL002" in {finding.code for finding in check(cached, (), kept=False).findings}
    for looks in (1, 5, 30, 60):
        done = hurried(cached, looks, kept=False)
        assert "TL002" in done.unjudged
        assert "TL002" not in {finding.code for finding in done.findings}
        assert not done.goes_on  # nothing is kept


def test_the_clock_is_looked_at_within_rules(cached: Path) -> None:
    """A rule that takes long is left while it is at work."""
    (cached / "train.py").write_text(TRAIN)
    every = len(check(cached, (), kept=False).findings)
    left = [len(hurried(cached, looks, kept=False).unjudged) for looks in range(1, 200)]
    assert left == sorted(left, reverse=True)
    assert any(one == other for one, other in zip(left, left[1:]) if 0 < one < left[0])  # noqa: B905
    assert left[-1] == 0
    assert len(hurried(cached, 200, kept=False).findings) == every


def test_what_phases_take_adds_up() -> None:
    now = iter([3.0, 3.0, 4.0, 6.0, 7.0, 12.0, 12.5])
    profile = Profile(lambda: next(now))
    with profile.of("outer"), profile.of("inner"):  # from 4 to 12, from 6 to 7
        pass
    assert profile.end() == [("outer", 7.0), ("start", 3.0), ("the rest", 1.5), ("inner", 1.0)]
