"""What rules have found out about a program is forgotten on the way; that is about memory, and never about findings."""

from __future__ import annotations

import gc
import shutil
import sys
import weakref
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest

from trainlint import prepare
from trainlint.app.engine import lifetimes
from trainlint.app.engine.driver import check
from trainlint.app.engine.result import Result
from trainlint.config import Overrides, find_settings
from trainlint.knowledge import load_knowledge
from trainlint.program.call_graph import CallGraph
from trainlint.program.imports import ModuleFinder
from trainlint.program.program import Program
from trainlint.rules import registry
from trainlint.spmd import uniform_check
from trainlint.spmd.uniform_check import Agreement

ROOT = Path(__file__).resolve().parents[2]


@cache
def last() -> dict[str, str]:
    """By module who asks it last; every file of ours is parsed for that, which collecting tests must not cost."""
    return prepare.last_rules(Path(prepare.__file__).parent)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(ROOT / "sample_repos" / "fsdp_lm", tmp_path / "fsdp_lm"))


def result_in(folder: Path) -> Result:
    settings = find_settings(folder, Overrides({"select": ["ALL"], "preview": True}), isolated=True)
    return check([folder], settings)


def forget_by(monkeypatch: pytest.MonkeyPatch, last: Mapping[str, str]) -> None:
    monkeypatch.setattr(lifetimes, "last_rules", lambda: last)


def forget_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """After each rule."""
    forget_by(monkeypatch, dict.fromkeys(last(), ""))
    monkeypatch.setattr(lifetimes, "_MOST_KEPT", 0)


def test_whatever_is_forgotten_the_findings_are_the_same(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    forget_by(monkeypatch, {})
    listed = result_in(folder).findings
    forget_everything(monkeypatch)
    assert result_in(folder).findings == listed
    assert listed


def test_what_was_too_much_is_said_all_the_same(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(uniform_check, "_LIMIT", 1)
    forget_by(monkeypatch, {})
    kept = result_in(folder)
    forget_everything(monkeypatch)
    forgotten = result_in(folder)
    assert [each for each in forgotten.findings if each.code == "TL004"] == [
        each for each in kept.findings if each.code == "TL004"
    ]
    assert kept.statistics["functions given up"] == forgotten.statistics["functions given up"] > 0


def left_of(monkeypatch: pytest.MonkeyPatch, folder: Path, last: Mapping[str, str]) -> tuple[set[str], list[bool]]:
    """When all rules have asked: the modules of what is still known, and of each comparison of ranks whether it is there."""
    born: list[weakref.ref[Agreement]] = []
    modules: set[str] = set()
    alive: list[bool] = []
    make, take_apart = Agreement.__init__, Program.take_apart

    def making(self: Agreement, program: Program) -> None:
        born.append(weakref.ref(self))
        make(self, program)

    def taking_apart(self: Program) -> None:
        gc.collect()
        modules.update(question.__module__ for question in self.analyses)
        alive.extend(each() is not None for each in born)
        born.clear()
        take_apart(self)

    with monkeypatch.context() as patch:
        forget_by(patch, last)
        patch.setattr(Agreement, "__init__", making)
        patch.setattr(Program, "take_apart", taking_apart)
        result_in(folder)
    return modules, alive


def test_what_no_rule_asks_for_any_more_is_gone(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    kept, alive = left_of(monkeypatch, folder, {})
    assert all(alive)
    assert alive
    assert "trainlint.spmd.uniform_check" in kept
    kept, alive = left_of(monkeypatch, folder, last())
    assert alive
    assert not any(alive)
    assert {module for module in kept if last()[module] < "TL9"} == set()
    assert "trainlint.program.call_graph" in kept


def test_a_rule_of_another_package_may_ask_for_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_by(monkeypatch, last())
    monkeypatch.setattr(lifetimes, "INSTALLED", SimpleNamespace(rows={"TQ101": None}))
    program = Program({}, ModuleFinder(set(), []), load_knowledge())
    ours, theirs = lifetimes.Lifetimes(program, ["TL101"]), lifetimes.Lifetimes(program, ["TL101", "TQ101", "TZ101"])
    program.ask(CallGraph)
    for code in ("TL101", max(registry.shipped()), "TQ101"):
        theirs.before(code)
        assert CallGraph in program.analyses
    theirs.before("TZ101")
    assert CallGraph not in program.analyses
    program.ask(CallGraph)
    ours.before("TQ101")
    assert CallGraph not in program.analyses


def test_where_nothing_was_prepared_everything_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    lifetimes.last_rules.cache_clear()
    monkeypatch.setitem(sys.modules, "trainlint.app.engine._prepared", None)
    assert lifetimes.last_rules() == {}
    lifetimes.last_rules.cache_clear()
