"""What only pylint sees: classes from the source of installed packages that are neither in the project nor in the tables."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.frontends.environments import Environment

pytestmark = pytest.mark.heavy  # pylint needs its time

PACKAGES = {
    # A stand-in for the library that the tables speak of: what counts are its names.
    "accelerate/__init__.py": "from accelerate.accelerator import Accelerator\n",
    "accelerate/accelerator.py": """\
class Accelerator:
    @property
    def is_main_process(self):
        return ask()

    def wait_for_everyone(self):
        barrier()
""",
    # A company's package, of which nobody has heard.
    "acme_train/__init__.py": "from acme_train._engine import Engine, Quiet, either, quiet, start\n",
    "acme_train/_engine.py": """\
import sys

from accelerate import Accelerator

Path = "never imported" if "acme_train" in sys.argv else open("imported", "w")


class Engine(Accelerator):
    def shine(self):
        return 1


class Quiet(Accelerator):
    def wait_for_everyone(self):
        return None


def start(config=None):
    if config is None:
        return Engine()
    return Engine()


def quiet():
    return Quiet()


def either(flag):
    if flag:
        return Engine()
    return Quiet()
""",
}

MADE = """\
from acme_train import {name}


def save(flag):
    machine = {call}
    if machine.is_main_process:
        machine.wait_for_everyone()
"""
DERIVED = """\
import acme_train


class Mine(acme_train.Engine):
    def save(self):
        if self.is_main_process:
            self.wait_for_everyone()
"""
GIVEN = """\
import acme_train


def save(machine: acme_train.Engine):
    if machine.is_main_process:
        machine.wait_for_everyone()
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    made = Environment(tmp_path_factory.mktemp("environment"))
    for name, text in PACKAGES.items():
        path = made.packages / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return made


def pylint(environment: Environment, folder: Path) -> list[tuple[str, int]]:
    words = ("-m", "pylint", "--load-plugins=trainlint.pylint_plugin", "--output-format=json2", "--disable=all")
    done = environment.run(*words, "--enable=rank-conditional-collective", "train.py", cwd=folder)
    assert done.stderr == ""
    return [(each["symbol"], each["line"]) for each in json.loads(done.stdout)["messages"]]


def alone(environment: Environment, folder: Path) -> str:
    done = environment.run("-m", "trainlint", "check", "--isolated", "train.py", cwd=folder)
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize(
    ("code", "line"),
    [
        (MADE.format(name="start", call="start()"), 7),
        (MADE.format(name="Engine", call="Engine()"), 7),
        (DERIVED, 7),
        (GIVEN, 6),
    ],
)
def test_pylint_reports_what_the_engine_alone_cannot_see(environment: Environment, project: Path, code: str, line: int) -> None:
    (project / "train.py").write_text(code, encoding="utf-8")
    assert alone(environment, project) == "All checks passed!\n"
    assert pylint(environment, project) == [("rank-conditional-collective", line)]
    assert not (project / "imported").exists()  # astroid reads the package, and does not run it


@pytest.mark.parametrize(
    "code",
    [
        MADE.format(name="quiet", call="quiet()"),  # the method is another one
        MADE.format(name="either", call="either(flag)"),  # of which class the object is, nobody can say
        MADE.format(name="missing", call="missing()"),
        MADE.format(name="start", call="start").replace("acme_train", "nowhere"),
    ],
)
def test_what_is_not_known_for_sure_is_not_reported(environment: Environment, project: Path, code: str) -> None:
    (project / "train.py").write_text(code, encoding="utf-8")
    assert pylint(environment, project) == []
