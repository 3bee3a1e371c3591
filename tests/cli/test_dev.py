"""``trainlint dev``: its words reach the tools, whose results are its exit codes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run


class Tool:
    """Stands for a tool's ``main``: remembers its arguments and says 3."""

    def __init__(self) -> None:
        self.calls: list[tuple[tuple[Any, ...], dict[str, Any]]] = []

    def __call__(self, *words: Any, **options: Any) -> int:
        self.calls.append((words, options))
        return 3


@pytest.mark.parametrize(
    ("words", "module", "arguments", "options"),
    [
        (("new-rule", "data/some-name"), "new_rule", ("data/some-name",), {}),
        (("pages",), "pages", ((), False), {}),
        (("pages", "TL101", "TL201", "--bless"), "pages", (("TL101", "TL201"), True), {}),
        (("schema",), "schema", (False,), {}),
        (("schema", "--bless"), "schema", (True,), {}),
        (("repairs", "."), "repairs", ((Path(),), None), {}),
        (("repairs", ".", "..", "--diffs", "read.me"), "repairs", ((Path(), Path("..")), Path("read.me")), {}),
        (("ledger", "."), "ledger", (Path(), False), {"ledger": None}),
        (("ledger", ".", "--write", "--ledger", "kept"), "ledger", (Path(), True), {"ledger": Path("kept")}),
    ],
)
def test_words_reach_the_tool(
    run: Run, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], module: str, arguments: Any, options: Any
) -> None:
    tool = Tool()
    monkeypatch.setattr(f"trainlint.app.dev.{module}.main", tool)
    assert run("dev", *words).exit_code == 3
    assert tool.calls == [(arguments, options)]


def test_a_folder_that_is_not_there(run: Run) -> None:
    done = run("dev", "ledger", "nowhere")
    assert done.exit_code == 2
    assert "'nowhere' does not exist" in done.stderr
