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


#: Packages with classes that the tables take for those of another one (`aliases`), and that one.
DERIVED = {"trl": "transformers"}
#: Packages of which something else is asked than hooks and collectives.
OTHERWISE = ("megatron",)


def derived(framework: str) -> list[str]:
    """The trainers of a package that the tables take for one of transformers."""
    aliases = load_knowledge().tables["aliases"].items()
    return [name for name, meant in aliases if name.startswith(f"{framework}.") and meant == "transformers.Trainer"]


def table(framework: str) -> dict[str, set[str]]:
    """The hooks of one framework, with the words that are said of each; none of older releases."""
    package = DERIVED.get(framework, framework)
    hooks = {name: set(words.split()) for name, words in load_knowledge().hooks.items() if name.partition(".")[0] == package}
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
    asked["classes"] = derived(framework)
    run = subprocess.run(
        [sys.executable, str(FOLDER / f"run_{framework}.py"), json.dumps(asked)], capture_output=True, text=True, check=False
    )
    reports = [line for line in run.stdout.splitlines() if line.startswith("SEEN ")]
    assert reports, run.stdout[-2000:] + run.stderr[-4000:]
    found: dict[str, Any] = json.loads(reports[0].removeprefix("SEEN "))
    return found


def as_said(name: str, words: set[str], ran: dict[str, Any] | None, disturbed: dict[str, Any]) -> bool:
    """Whether a hook runs as often as its words say, and in the state that they say, no more and no less."""
    if ran is None or not (ran["traced"] or ran["times"] in TIMES[frozenset(words & OFTEN)]):  # in a trace it runs once
        return False
    states = {
        "train": ran["training"] == [True] == disturbed[name]["training"],
        "eval": ran["training"] == [False],
        "no-grad": ran["gradients"] == [False],
        "autocast": ran["autocast"] == [True],
        "loss": ran["backward"],
        "function": ran["traced"],
    }
    if "run" in words:  # nobody but us has set the mode yet, or it is as the last evaluation left it
        del states["train"], states["eval"]
    held = {word for word, holds in states.items() if holds}
    return words - OFTEN == held and ran["graphs"] == sorted(load_knowledge().hooks_graphs.get(name, ()))


TRAINED = [each for each in NAMED if table(each)]
CASES = [(framework, name) for framework in TRAINED if framework not in DERIVED for name in table(framework)]


def test_something_is_asked() -> None:
    """The session names frameworks of which the tables speak."""
    assert NAMED
    assert all(table(framework) or collectives(framework) or framework in OTHERWISE for framework in NAMED)


@pytest.mark.parametrize(("framework", "name"), CASES)
def test_hook(framework: str, name: str) -> None:
    """A hook runs as its words say."""
    ran, disturbed = seen(framework)["hooks"], seen(framework, disturbed=True)["hooks"]
    assert as_said(name, table(framework)[name], ran.get(name), disturbed), ran.get(name)


@pytest.mark.parametrize("framework", [each for each in TRAINED if each not in DERIVED])
def test_order(framework: str) -> None:
    """The table names the hooks in the order in which they first run."""
    assert list(table(framework)) == seen(framework)["order"]


@pytest.mark.parametrize("framework", [each for each in TRAINED if each in DERIVED])
def test_derived(framework: str) -> None:
    """The trainers that are taken for one of another package run its hooks as that one does, and in its order."""
    classes, disturbed = seen(framework)["classes"], seen(framework, disturbed=True)["classes"]
    assert len(classes) > 5
    for cls, row in classes.items():
        for name, words in table(framework).items():
            assert as_said(name, words, row["hooks"].get(name), disturbed[cls]["hooks"]), (cls, name, row["hooks"].get(name))
        assert row["order"] == list(table(framework)), cls


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
