"""A likely finding is reported where its rule is selected by name, or with ``preview``; not by default."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from trainlint.app.engine import driver
from trainlint.config import Overrides, find_settings
from trainlint.finding import Suspect
from trainlint.rules import registry

CODE = """\
import torch.distributed as dist


def end(rank):
    if rank == 0:
        dist.barrier()
"""


@pytest.mark.parametrize(
    ("flags", "reported"),
    [
        ({}, False),
        ({"preview": True}, True),
        ({"select": ["TL101"]}, True),
        ({"select": ["ALL"]}, True),
        ({"extend-select": ["TL1"]}, True),
        ({"extend-select": ["TL3"]}, False),
        ({"preview": True, "ignore": ["TL101"]}, False),
    ],
)
def test_who_is_told(flags: dict[str, Any], *, reported: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "train.py").write_text(CODE)
    (rule,) = registry.load(["TL101"])
    finder = rule.finder
    assert finder is not None

    def doubting(program: Any) -> Iterator[Suspect]:
        yield from (replace(each, evidence="likely") for each in finder(program))

    monkeypatch.setattr(rule, "finder", doubting)
    settings = find_settings(tmp_path, Overrides(flags=flags), isolated=True)
    found = [each.code for each in driver.check([tmp_path], settings).findings]
    assert ("TL101" in found) == reported
