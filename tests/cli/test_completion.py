"""Shell completion: the script is loaded by the shell itself, and asked by pressing the tabulator."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.driven import environment, terminal, trainlint


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a ``trainlint`` command, as installing makes one, the script for bash, and a file to complete."""
    folder = tmp_path_factory.mktemp("shell")
    program = folder / "bin" / "trainlint"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable}\nfrom trainlint.app.cli.main import main\nmain()\n", encoding="utf-8")
    program.chmod(0o755)
    done = trainlint(folder, "generate-shell-completion", "bash")
    assert (done.returncode, done.stderr) == (0, "")
    (folder / "complete.bash").write_text(done.stdout, encoding="utf-8")
    (folder / "a_training_script.py").touch()
    return folder


def offered(folder: Path, *words: str) -> list[str]:
    """What bash would offer for the last word."""
    script = (
        'source complete.bash; compopt() { echo "compopt $*"; }\n'
        f"COMP_WORDS=({' '.join(repr(word) for word in words)}) COMP_CWORD={len(words) - 1}\n"
        "_trainlint_completion trainlint\nprintf '%s\\n' \"${COMPREPLY[@]}\""
    )
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "--norc", "-c", script],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=True,
        env=environment(PATH=path),
    )
    assert not done.stderr
    return done.stdout.split()


def test_commands_options_and_values(folder: Path) -> None:
    assert offered(folder, "trainlint", "ch") == ["check"]
    assert offered(folder, "trainlint", "check", "--write-b") == ["--write-baseline"]
    assert offered(folder, "trainlint", "check", "--output-format", "json") == ["json", "json-lines"]
    assert offered(folder, "trainlint", "generate-shell-completion", "") == ["bash", "zsh", "fish"]


def test_rules_by_code_prefix_and_name(folder: Path) -> None:
    assert offered(folder, "trainlint", "rule", "TL10")[:2] == ["TL101", "TL102"]
    assert offered(folder, "trainlint", "rule", "missing-set-e") == ["missing-set-epoch"]
    assert {"TL1", "TL101"} <= set(offered(folder, "trainlint", "check", "--select", "TL1"))
    assert offered(folder, "trainlint", "check", "--ignore", "TL101,TL30")[:2] == ["TL101,TL301", "TL101,TL302"]
    assert offered(folder, "trainlint", "config", "per-") == ["per-file-ignores"]


@pytest.mark.heavy
def test_files_are_left_to_the_shell(folder: Path) -> None:
    assert offered(folder, "trainlint", "check", "a_tr") == ["compopt", "-o", "default"]
    assert offered(folder, "trainlint", "check", "--baseline", "a_tr") == ["compopt", "-o", "default"]


def test_a_person_presses_the_tabulator(folder: Path) -> None:
    """An interactive bash: the word is completed on the line, which is then run."""
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    keys = b"source complete.bash\ntrainlint rule missing-set-e\t| head -n 1\ntrainlint check --isolated a_tr\t; exit\n"
    shown = terminal(folder, 120, ["bash", "--norc", "-i"], keys, PATH=path, TERM="dumb", HISTFILE="")
    assert "trainlint rule missing-set-epoch | head -n 1" in shown
    assert "# missing-set-epoch (TL201)\n" in shown
    assert "check --isolated a_training_script.py ; exit" in shown
    assert "All checks passed!" in shown


@pytest.mark.heavy
@pytest.mark.parametrize(("shell", "word"), [("zsh", "#compdef trainlint"), ("fish", "complete --no-files --command trainlint")])
def test_scripts_for_other_shells(tmp_path: Path, shell: str, word: str) -> None:
    done = trainlint(tmp_path, "generate-shell-completion", shell)
    assert (done.returncode, done.stderr) == (0, "")
    assert word in done.stdout
    assert "_TRAINLINT_COMPLETE" in done.stdout


@pytest.mark.heavy
@pytest.mark.parametrize(("shell", "word"), [("zsh", "TL101"), ("fish", "TL101")])
def test_what_other_shells_are_answered(folder: Path, shell: str, word: str) -> None:
    """The scripts ask by environment variables; the answer brings descriptions, which these shells show."""
    asked = {"_TRAINLINT_COMPLETE": f"{shell}_complete", "COMP_WORDS": "trainlint rule TL10", "COMP_CWORD": "2"}
    if shell == "fish":
        asked["COMP_CWORD"] = "TL10"
    done = subprocess.run(
        [folder / "bin" / "trainlint"], capture_output=True, encoding="utf-8", check=False, env=environment(**asked)
    )
    assert word in done.stdout
    assert "rank-conditional-collective" in done.stdout


def test_a_shell_that_is_not_known(tmp_path: Path) -> None:
    done = trainlint(tmp_path, "generate-shell-completion", "tcsh")
    assert done.returncode == 2
    assert "'bash', 'zsh', 'fish'" in done.stderr
