"""What rules have found out about a program is forgotten on the way; that is about memory, and never about findings."""

from __future__ import annotations

import importlib
import shutil
from pathlib import Path

import pytest

from trainlint.config import Overrides, find_settings
from trainlint.engine import judging
from trainlint.engine import judging as forgetting
from trainlint.engine.driver import check
from trainlint.finding import Finding
from trainlint.rules import registry

ROOT = Path(__file__).resolve().parents[2]


def findings_in(folder: Path) -> list[Finding]:
    settings = find_settings(folder, Overrides({"select": ["ALL"], "preview": True}), isolated=True)
    return check([folder], settings).findings


def test_what_goes_by_its_name_is_there() -> None:
    names = {name for listed in forgetting._LAST.values() for name in listed} - forgetting._MEMORIES.keys()
    for name in (*names, judging._COMPARES):
        module, _, question = name.rpartition(".")
        assert forgetting.name_of(getattr(importlib.import_module(module), question)) == name
    assert forgetting._LAST.keys() <= registry.built().keys()


def test_whatever_is_forgotten_the_findings_are_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(ROOT / "sample_repos" / "fsdp_lm", tmp_path / "fsdp_lm"))
    listed = findings_in(folder)
    everything = tuple({name for names in forgetting._LAST.values() for name in names})
    monkeypatch.setattr(forgetting, "_LAST", dict.fromkeys(sorted(registry.built())[::20], everything))
    assert findings_in(folder) == listed
    assert listed
