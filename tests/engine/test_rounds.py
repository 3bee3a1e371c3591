"""Rounds of repairs: what is taken back, and what is not."""

from __future__ import annotations

from pathlib import Path

from trainlint.app.engine.driver import check
from trainlint.app.engine.result import FixMode
from trainlint.config import Overrides, find_settings


def repaired(tmp_path: Path, text: str, *codes: str) -> str:
    """A file after its repairs were made."""
    path = tmp_path / "train.py"
    path.write_text(text, encoding="utf-8")
    settings = find_settings(tmp_path, Overrides(flags={"select": list(codes), "preview": True}), isolated=True)
    check([path], settings, fix=FixMode.APPLY)
    return path.read_text(encoding="utf-8")


def test_a_repair_is_made_beside_another_finding_of_its_rule_in_the_same_statement(tmp_path: Path) -> None:
    text = (
        "import torch\nimport torch.nn.functional as F\n\n\n"
        "def f(x, y):\n    return torch.symeig(x), F.nll_loss(x, y, size_average=True)\n"
    )
    after = repaired(tmp_path, text, "TL905")
    assert "torch.symeig(x)" in after  # nobody can say what it becomes
    assert 'reduction="mean"' in after


def test_a_repair_that_brings_another_finding_is_taken_back(tmp_path: Path, monkeypatch) -> None:
    from trainlint.app.engine import driver

    monkeypatch.setattr(driver, "_worse", lambda _before, _after, applied: set(applied))
    text = "import torch.nn.functional as F\n\n\ndef f(x, y):\n    return F.nll_loss(x, y, size_average=True)\n"
    assert repaired(tmp_path, text, "TL905") == text


LOADED = """
from torch.utils.data import DataLoader


def batches(data):
    return DataLoader(data, batch_size=8, num_workers=4)
"""
EVALUATED = """
import torch
from loading import batches


def train(model, data, optimizer):
    for x, y in batches(data):
        x = x.to("cuda")
        optimizer.zero_grad()
        loss = model(x)
        loss.backward()
        optimizer.step()


def validate(model, data):
    total = 0
    model.eval()
    for x, y in batches(data):
        x = x.to("cuda")
        total += model(x).sum().item()
    return total
"""


def test_a_second_run_changes_nothing_where_a_repair_was_refused_for_what_another_file_brought(tmp_path: Path) -> None:
    # The loader is pinned (TL206): now the copy in the other file is reported (TL210); its own repair (TL303) is blamed at first.
    (tmp_path / "loading.py").write_text(LOADED, encoding="utf-8")
    (tmp_path / "training.py").write_text(EVALUATED, encoding="utf-8")
    settings = find_settings(tmp_path, Overrides(flags={"select": ["TL206", "TL210", "TL303"], "preview": True}), isolated=True)
    made = check([tmp_path], settings, fix=FixMode.APPLY).fixed
    assert {code for counts in made.values() for code, _ in counts} == {"TL206", "TL210", "TL303"}
    assert check([tmp_path], settings, fix=FixMode.APPLY).fixed == {}


def test_what_is_left_of_a_changed_line_counts_as_known() -> None:
    from trainlint.app.engine.driver import _Counts, _worse
    from trainlint.finding import Finding, Level, Span

    gone = Finding("TL905", "", Level.WARNING, Path("a.py"), Span(1, 1, 1, 2), "")
    before, after = _Counts({("a.py", "TL905", "old"): 2}), _Counts({("a.py", "TL905", "new"): 1})
    assert _worse(before, after, {"a.py": [gone]}) == set()
    after["a.py", "TL905", "other"] = 1
    assert _worse(before, after, {"a.py": [gone]}) == {"a.py"}
