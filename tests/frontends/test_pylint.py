"""The pylint plugin, driven as people and editors drive it: the real pylint in a process of its own."""

from __future__ import annotations

import json
import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.frontends.conftest import BAD, CALLER, HARDCODED, HELPER

ROOT = Path(__file__).resolve().parents[2]


def pylint(folder: Path, *arguments: str, given: str | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pylint", "--load-plugins=trainlint.pylint_plugin", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, input=given)


def messages(folder: Path, *arguments: str, given: str | None = None) -> list[dict[str, Any]]:
    """The messages of our checkers, read from pylint's JSON."""
    run = pylint(folder, "--output-format=json2", *arguments, given=given)
    found: list[dict[str, Any]] = json.loads(run.stdout)["messages"]
    return [message for message in found if re.fullmatch(r"[EWR]6\d{3}", message["messageId"])]


def test_a_finding_is_a_message(project: Path) -> None:
    (message,) = messages(project, "bad.py")
    assert {key: message[key] for key in ("symbol", "messageId", "type", "path", "obj")} == {
        "symbol": "rank-conditional-collective",
        "messageId": "E6101",
        "type": "error",
        "path": "bad.py",
        "obj": "save",
    }
    place = [message[key] for key in ("line", "column", "endLine", "endColumn")]
    assert place == [6, 8, 6, 22]
    assert message["message"] == "`barrier` runs on rank 0 only and hangs there: the other ranks never reach it"


def test_what_is_off_in_trainlint_is_off_until_it_is_asked_for(project: Path) -> None:
    (project / "bad.py").write_text(HARDCODED, encoding="utf-8")
    assert messages(project, "bad.py") == []
    assert [each["symbol"] for each in messages(project, "bad.py", "--enable=hardcoded-world")] == ["hardcoded-world"]
    (project / "trainlint.toml").write_text("preview = true\n", encoding="utf-8")
    assert [each["symbol"] for each in messages(project, "bad.py")] == ["hardcoded-world"]


def test_facts_come_from_files_that_pylint_was_not_given(project: Path) -> None:
    (project / "sync.py").write_text(HELPER, encoding="utf-8")
    (project / "main.py").write_text(CALLER, encoding="utf-8")
    assert [(message["path"], message["line"]) for message in messages(project, "main.py")] == [("main.py", 6)]


def test_comments_turn_a_message_off(project: Path) -> None:
    texts = [
        BAD.replace("barrier()", "barrier()  # pylint: disable=rank-conditional-collective"),
        BAD.replace("barrier()", "barrier()  # pylint: disable=E6101"),
        BAD.replace("== 0:", "== 0:\n        # pylint: disable=rank-conditional-collective"),
        BAD.replace("model):", "model):\n    # pylint: disable=rank-conditional-collective"),
        "# pylint: disable=rank-conditional-collective\n" + BAD,
        BAD.replace("        dist", "        # pylint: disable-next=rank-conditional-collective\n        dist"),
        BAD.replace("barrier()", "barrier()  # trainlint: ignore[TL101]"),
    ]
    names = []
    for number, text in enumerate([BAD, *texts]):
        names.append(f"bad{number}.py")
        (project / names[-1]).write_text(text, encoding="utf-8")
    run = pylint(project, "--output-format=json2", *names)
    found = json.loads(run.stdout)["messages"]
    assert [each["path"] for each in found if re.fullmatch(r"[EWR]6\d{3}", each["messageId"])] == ["bad0.py"]
    assert "unknown-option-value" not in {each["symbol"] for each in found}


def test_a_comment_that_turns_nothing_off_is_known_to_be_useless(project: Path) -> None:
    (project / "fine.py").write_text("X = 1  # pylint: disable=rank-conditional-collective\n", encoding="utf-8")
    assert "useless-suppression" in pylint(project, "--enable=useless-suppression", "fine.py").stdout


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (".pylintrc", "[MESSAGES CONTROL]\ndisable=rank-conditional-collective\n"),
        ("pyproject.toml", '[tool.pylint."messages control"]\ndisable = ["E6101"]\n'),
        ("pyproject.toml", '[tool.trainlint]\nignore = ["TL101"]\n'),
    ],
)
def test_configurations_turn_a_message_off(project: Path, file: str, text: str) -> None:
    (project / file).write_text(text, encoding="utf-8")
    assert messages(project, "bad.py") == []


def test_nothing_else_is_checked_when_pylint_is_told_so(project: Path) -> None:
    (project / "pyproject.toml").write_text(
        '[tool.pylint."messages control"]\ndisable = ["all"]\nenable = ["E6101"]\n', encoding="utf-8"
    )
    run = pylint(project, "--output-format=json2", "bad.py")
    assert [message["messageId"] for message in json.loads(run.stdout)["messages"]] == ["E6101"]
    assert run.returncode == 2  # pylint's bit for errors


def test_two_processes(project: Path) -> None:
    for number in range(4):
        (project / f"more{number}.py").write_text(BAD, encoding="utf-8")
    files = ["bad.py", *(f"more{number}.py" for number in range(4))]
    assert sorted(message["path"] for message in messages(project, "-j", "2", *files)) == files


def seconds(folder: Path, *arguments: str) -> float:
    """The processor time that pylint takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "pylint", *arguments], cwd=folder, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.heavy
def test_what_was_found_before_is_read_from_the_cache(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    shutil.copytree(ROOT / "sample_repos" / "fsdp_lm", folder)
    (folder / ".git").mkdir()
    first = messages(folder, "lm/trainer.py")
    assert messages(folder, "lm/trainer.py") == first != []
    plugin = ("--load-plugins=trainlint.pylint_plugin", "lm/trainer.py")
    # Other programs slow both down: of three measurements the best counts.
    assert min(seconds(folder, *plugin) - seconds(folder, "lm/trainer.py") for _ in range(3)) <= 0.5


class TestStdin:
    """``vscode-pylint`` gives the text of the editor on stdin and the file's path after ``--from-stdin``."""

    def test_the_text_counts_and_not_the_file(self, project: Path) -> None:
        path = str(project / "bad.py")
        moved = messages(project, "--reports=n", "--clear-cache-post-run=y", "--from-stdin", path, given="# é\n" + BAD)
        assert [message["line"] for message in moved] == [7]
        assert messages(project, "--from-stdin", path, given=BAD.replace("rank == 0", "model")) == []

    def test_facts_come_from_the_disk(self, project: Path) -> None:
        (project / "sync.py").write_text(HELPER, encoding="utf-8")
        found = messages(project, "--from-stdin", str(project / "unsaved.py"), given=CALLER)
        assert [(message["line"], message["symbol"]) for message in found] == [(6, "rank-conditional-collective")]


def test_pylint_lists_and_explains_the_messages(project: Path) -> None:
    listed = pylint(project, "--list-msgs").stdout
    assert ":rank-conditional-collective (E6101):" in listed
    assert ":missing-set-epoch (E6201):" in listed
    assert "trainlint-distributed checker" in pylint(project, "--help-msg=rank-conditional-collective").stdout


def test_a_wrong_configuration_is_a_message(project: Path) -> None:
    (project / "trainlint.toml").write_text("selct = []\n", encoding="utf-8")
    (message,) = messages(project, "bad.py")
    assert message["symbol"] == "trainlint-configuration"
    assert "selct" in message["message"]


def test_registering_twice_changes_nothing() -> None:
    from pylint.lint import PyLinter

    from trainlint import pylint_plugin

    linter = PyLinter()
    pylint_plugin.register(linter)
    names = [checker.name for checker in linter.get_checkers()]
    pylint_plugin.register(linter)
    assert [checker.name for checker in linter.get_checkers()] == names
    assert sum(name.startswith("trainlint-") for name in names) == len(
        set(names) & {n for n in names if n.startswith("trainlint-")}
    )


def test_numbers_are_stable() -> None:
    """Users write these numbers into their configurations: one that was given once stays."""
    from trainlint.app.frontends.pylint_checkers import number_of

    known = {"TL001": "E6001", "TL101": "E6101", "TL103": "W6103", "TL114": "R6114", "TL302": "W6302", "TL920": "E6920"}
    assert {code: number_of(code) for code in known} == known
