"""Linters with several processes check a project once: their processes are copies of the first, or share its cache."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from pathlib import Path

import pytest

from tests.frontends.conftest import BAD
from tests.frontends.environments import Environment, rule

pytestmark = pytest.mark.heavy

#: A rule that says in which processes it was asked.
RULE = rule(
    imports="import os\n",
    find="""\
    with open(os.environ["ASKED"], "a") as asked:
        asked.write(f"{os.getpid()}\\n")
    yield from ()
""",
)
NAMES = [f"file{number}.py" for number in range(24)]  # of a handful of files nothing is kept
FLAKE8 = ("-m", "flake8", "--select", "TL,YY", "-j", "2", *NAMES)
PYLINT = (
    "-m",
    "pylint",
    "--load-plugins=trainlint.pylint_plugin",
    "--disable=all",
    "--enable=some-name,rank-conditional-collective",
    "-j",
    "2",
    *NAMES,
)


class Linters:
    """An environment in which linters start their processes by one method; and a project."""

    def __init__(self, folder: Path, method: str) -> None:
        self.environment = Environment(folder / "environment")
        self.environment.add_rules(yy001_some_name=RULE)
        line = f"import multiprocessing; multiprocessing.set_start_method({method!r})\n"
        (self.environment.packages / "method.pth").write_text(line, encoding="utf-8")
        self.project = folder / "project"
        (self.project / ".git").mkdir(parents=True)
        for name in NAMES:
            (self.project / name).write_text(BAD, encoding="utf-8")
        self.asked = folder / "asked"

    def asks(self, *words: str, **more: str) -> int:
        """How many processes ask the rule, in a run that finds what there is."""
        self.asked.write_text("")
        done = self.environment.run(*words, cwd=self.project, ASKED=str(self.asked), **more)
        assert [name for name in NAMES if f"{name}:6" not in done.stdout] == [], done.stdout + done.stderr
        processes = Counter(self.asked.read_text().split())
        assert max(processes.values(), default=0) <= len(NAMES)  # no imports connect the files: each is judged by itself, once
        return len(processes)


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
class TestTheProjectIsCheckedOnce:
    def test_by_flake8(self, tmp_path: Path, method: str) -> None:
        linters = Linters(tmp_path, method)
        assert linters.asks(*FLAKE8) == 1
        assert linters.asks(*FLAKE8) == 0  # nothing has changed since
        (linters.project / NAMES[0]).write_text(f"{BAD}CHANGED = True\n", encoding="utf-8")
        assert linters.asks(*FLAKE8) == 1

    def test_by_pylint(self, tmp_path: Path, method: str) -> None:
        linters = Linters(tmp_path, method)
        assert linters.asks(*PYLINT) == 1
        assert linters.asks(*PYLINT) == 0  # nothing has changed since, nor what is installed
        (linters.project / NAMES[0]).write_text(f"{BAD}CHANGED = True\n", encoding="utf-8")
        assert linters.asks(*PYLINT) == 1


def test_without_the_cache_every_process_asks(tmp_path: Path) -> None:
    linters = Linters(tmp_path, "spawn")
    assert linters.asks(*FLAKE8, TRAINLINT_NO_CACHE="1") == 2
    assert not (linters.project / ".trainlint_cache").exists()
    assert linters.asks(*PYLINT, TRAINLINT_NO_CACHE="1") == 2
