"""What the tables say of frameworks' hooks, against the frameworks themselves, as far as this environment has them.

For each framework a program beside this one trains a small model for two epochs and reports of each hook how often it ran, and in
which state. It is trained twice: the second time each hook of an epoch leaves the model in evaluation mode, so that only what the
framework itself sees to is called `train`. Run by ``nox -s frameworks``, one environment for each.
"""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from trainlint.knowledge.load import load_knowledge

pytestmark = pytest.mark.frameworks

FOLDER = Path(__file__).parent
#: The frameworks that are tested here: all that the session names, which must be there then.
NAMED = os.environ.get("TRAINLINT_FRAMEWORKS", "").split()
OFTEN = {"run", "epoch", "evaluation", "step", "batch", "evaluated-batch"}
#: How many times a hook may run of which the table says this (see recorder.py; each evaluation that is asked for is a run, too).
TIMES = {
    frozenset(("run",)): {1, 5},
    frozenset(("epoch",)): {2, 5},
    frozenset(("evaluation",)): {2},
    frozenset(("epoch", "evaluation")): {4},
    frozenset(("step",)): {4},
    frozenset(("batch",)): {8},
    frozenset(("evaluated-batch",)): {6},
    frozenset(("batch", "evaluated-batch")): {14, 20, 26},
}


def table(framework: str) -> dict[str, set[str]]:
    """The hooks of one framework, with the words that are said of each; none of older releases."""
    hooks = {name: set(words.split()) for name, words in load_knowledge().hooks.items() if name.partition(".")[0] == framework}
    return {name: words for name, words in hooks.items() if not any(word.startswith("until-") for word in words)}


def collectives(framework: str) -> dict[str, int]:
    """The collectives of one framework, with the position of the process group."""
    return {name: at for name, at in load_knowledge().collectives.items() if name.partition(".")[0] == framework}


@functools.cache
def seen(framework: str, *, disturbed: bool = False) -> dict[str, Any]:
    """What a run of the framework reports."""
    disturbing = [name for name, words in table(framework).items() if disturbed and words & {"run", "epoch"}]
    graphs = load_knowledge().hooks_graphs
    asked = {"hooks": list(table(framework)), "graphs": {name: graphs[name] for name in graphs}, "disturbing": disturbing}
    run = subprocess.run(
        [sys.executable, str(FOLDER / f"run_{framework}.py"), json.dumps(asked)], capture_output=True, text=True, check=False
    )
    reports = [line for line in run.stdout.splitlines() if line.startswith("SEEN ")]
    assert reports, run.stdout[-2000:] + run.stderr[-4000:]
    found: dict[str, Any] = json.loads(reports[0].removeprefix("SEEN "))
    return found


CASES = [(framework, name) for framework in NAMED for name in table(framework)]


def test_something_is_asked() -> None:
    """The session names frameworks of which the tables speak."""
    assert NAMED
    assert all(table(framework) or collectives(framework) for framework in NAMED)


@pytest.mark.parametrize(("framework", "name"), CASES)
def test_hook(framework: str, name: str) -> None:
    """A hook runs as often as its words say, and in the state that they say, no more and no less."""
    words = table(framework)[name]
    ran = seen(framework)["hooks"].get(name)
    assert ran is not None, "it never runs"
    assert ran["traced"] or ran["times"] in TIMES[frozenset(words & OFTEN)]  # in a trace it runs once
    states = {
        "train": ran["training"] == [True] == seen(framework, disturbed=True)["hooks"][name]["training"],
        "eval": ran["training"] == [False],
        "no-grad": ran["gradients"] == [False],
        "autocast": ran["autocast"] == [True],
        "loss": ran["backward"],
        "function": ran["traced"],
    }
    if "run" in words:  # nobody but us has set the mode yet, or it is as the last evaluation left it
        del states["train"], states["eval"]
    assert words - OFTEN == {word for word, holds in states.items() if holds}
    assert ran["graphs"] == sorted(load_knowledge().hooks_graphs.get(name, ()))


@pytest.mark.parametrize("framework", [each for each in NAMED if table(each)])
def test_order(framework: str) -> None:
    """The table names the hooks in the order in which they first run."""
    assert list(table(framework)) == seen(framework)["order"]


@pytest.mark.parametrize("framework", NAMED)
def test_groups(framework: str) -> None:
    """The process group of a collective has the position that the table says; what this release lacks is not asked."""
    said = collectives(framework)
    run = subprocess.run(
        [sys.executable, str(FOLDER / "signatures.py"), json.dumps(list(said))], capture_output=True, text=True, check=True
    )
    line = next(line for line in run.stdout.splitlines() if line.startswith("SEEN "))
    found = {name: parameters for name, parameters in json.loads(line.removeprefix("SEEN ")).items() if parameters is not None}
    places = {name: parameters.index("group") if "group" in parameters else -1 for name, parameters in found.items()}
    assert places == {name: said[name] for name in found}
