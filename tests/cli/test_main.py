"""The outermost command: what it costs, and what happens when a command does not come to its end."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Engine, Run

ROOT = Path(__file__).resolve().parents[2]

FAKE_ENGINE = """
import sys, types
from trainlint.app.cli.main import main
from trainlint.app.engine.result import Result
from tests.report.samples import finding
driver = types.ModuleType("trainlint.app.engine.driver")
sys.modules["trainlint.app.engine.driver"] = driver
"""


def python(code: str, **options: object) -> subprocess.CompletedProcess[str]:
    """Run a piece of Python in a process of its own, with the checkout to import from."""
    environ = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "FORCE_COLOR", "COLUMNS"}}
    environ |= {"PYTHONPATH": str(ROOT), **options.pop("env", {})}  # type: ignore[dict-item]
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=environ, capture_output=True, encoding="utf-8", check=False, timeout=60, **options)  # type: ignore[call-overload,no-any-return]


def loaded_after(code: str, *watched: str) -> set[str]:
    """Which of the watched modules are loaded at the end of a process that runs ``code``."""
    done = python(f"import sys\n{code}\nprint('LOADED', *({set(watched)!r} & set(sys.modules)))")
    assert not done.stderr
    return set(done.stdout.rpartition("LOADED")[2].split())


def test_the_group_alone_loads_no_command() -> None:
    slow = ("trainlint.app.cli.check", "trainlint.config", "trainlint.codes", "trainlint.finding", "rich", "libcst", "json")
    assert loaded_after("import trainlint.app.cli.main", *slow) == set()


SLOW = ("rich", "libcst", "pathspec", "tomllib", "tomli", "json", "difflib", "trainlint.app.cli.dev", "trainlint.app.cli.rule")


def checked(findings: str, *words: str) -> str:
    return (
        FAKE_ENGINE
        + f"driver.check = lambda *a, **k: Result(findings={findings}, checked=['train.py'])\n"
        + f"main(['check', '--isolated', *{words!r}], standalone_mode=False)\n"
    )


def test_a_clean_run_loads_nothing_slow() -> None:
    assert loaded_after(checked("[]"), *SLOW, "trainlint.app.report.full") == set()


@pytest.mark.parametrize("form", ["full", "concise"])
def test_plain_output_does_without_rich(form: str) -> None:
    # difflib and json come with the repairs and with --output-format, which is a setting that is checked.
    loaded = loaded_after(checked("[finding()]", "--output-format", form, "--exit-zero"), *SLOW, f"trainlint.app.report.{form}")
    assert f"trainlint.app.report.{form}" in loaded
    assert not loaded & {"rich", "libcst", "pathspec"}


def test_version(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trainlint.__version__", "1.2.3", raising=False)
    for words in (("--version",), ("-V",), ("check", "--version")):
        done = run(*words)
        assert (done.exit_code, done.stdout) == (0, "trainlint 1.2.3\n")


COMMANDS = ["check", "preflight", "sweep", "rule", "explain", "config", "clean", "server", "generate-shell-completion", "dev"]


def test_help_lists_every_command(run: Run) -> None:
    done = run("-h")
    assert done.exit_code == 0
    commands = [line.split()[0] for line in done.stdout.partition("Commands:\n")[2].partition("\n\n")[0].splitlines()]
    assert commands == COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(run: Run, command: str) -> None:
    done = run(command, "--help")
    assert done.exit_code == 0
    assert done.stdout.startswith(f"Usage: trainlint {command} ")


def test_a_mistyped_command(run: Run) -> None:
    done = run("chek")
    assert done.exit_code == 2
    assert "No such command 'chek'. Did you mean 'check'?" in done.stderr


def test_a_path_instead_of_a_command(run: Run, tmp_path: Path) -> None:
    (tmp_path / "train.py").touch()
    assert "To check it: trainlint check train.py" in run("train.py").stderr
    assert "To check it" not in run("other.py").stderr


def test_an_interrupted_run_ends_quietly(run: Run, engine: Engine) -> None:
    engine.error = KeyboardInterrupt()
    done = run("check")
    assert (done.exit_code, done.stdout, done.stderr) == (130, "", "")


def test_a_crash_is_not_taken_for_findings(run: Run, engine: Engine) -> None:
    engine.error = ZeroDivisionError("oops")
    done = run("check")
    assert done.exit_code == 2
    assert not done.stdout
    assert "ZeroDivisionError: oops\n" in done.stderr
    assert done.stderr.endswith(
        "trainlint: internal error: this is a mistake in trainlint, please report it with the lines above\n"
    )


def test_a_reader_that_goes_away_is_no_error() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "trainlint", "rule", "--all"]
    try:
        done = subprocess.run(command, cwd=ROOT, stdout=writer, stderr=subprocess.PIPE, check=False)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


def test_an_encoding_that_lacks_a_character_gets_an_escape() -> None:
    code = checked("[finding(message='\\u65e5\\u672c \\u00d7')]", "--output-format", "concise", "--exit-zero", "-q")
    done = python(code, env={"PYTHONIOENCODING": "ascii:strict"})
    assert (done.stdout, done.stderr) == ("train.py:6:9: TL101 \\u65e5\\u672c \\xd7\n", "")


def test_it_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "trainlint", "config", "select"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0
    assert done.stdout.startswith("select\n\n")
