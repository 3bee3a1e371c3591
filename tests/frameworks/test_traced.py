"""What the tables say of JAX and of the libraries on it, against these: what traces, and what is done with keys and states."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from trainlint.domains.jax.calling_contexts import _STAGED as STAGED
from trainlint.knowledge.load import load_knowledge

pytestmark = [
    pytest.mark.frameworks,
    pytest.mark.skipif("jax" not in os.environ.get("TRAINLINT_FRAMEWORKS", "").split(), reason="another framework's session"),
]
TABLES = load_knowledge().tables
HOMES = ("jax", "flax", "haiku", "equinox")
#: What these need more than a function, and what is not on this machine.
NOT_RUN = {"functools.partial", "flax.linen.tabulate", "flax.linen.get_partition_spec"}


def of_homes(names: Any) -> list[str]:
    return [name for name in names if name.partition(".")[0] in HOMES and name not in NOT_RUN]


def tracing() -> dict[str, str]:
    """What is said of each name: the table itself, and two lists that say the same in another way."""
    said = {name: TABLES["tracing"][name] for name in of_homes(TABLES["tracing"])}
    said.update(dict.fromkeys(of_homes(TABLES["tracing.outside"]["names"]), "outside"))
    said.update(dict.fromkeys(of_homes(TABLES["keys.abstract"]["names"]), "abstract"))
    return said


@functools.cache
def seen() -> dict[str, Any]:
    asked = {
        "tracing": tracing(),
        "keys": of_homes(TABLES["keys"]),
        "initializers": [name.rstrip(".") for name in TABLES["keys.initializers"]["names"]],
        "filters": TABLES["tracers.filters"]["names"],
    }
    program = Path(__file__).with_name("run_jax.py")
    run = subprocess.run([sys.executable, str(program), json.dumps(asked)], capture_output=True, text=True, check=False)
    reports = [line for line in run.stdout.splitlines() if line.startswith("SEEN ")]
    assert reports, run.stdout[-2000:] + run.stderr[-4000:]
    report: dict[str, Any] = json.loads(reports[0].removeprefix("SEEN "))
    return report


def test_traced() -> None:
    """What compiles runs a function once for two calls, what traces hands it tracers, and nothing else does."""
    used = {name: (tracing()[name].split()[0], row) for name, row in seen()["used"].items()}
    assert len(used) > 60
    traced = {name: row["traced"] if isinstance(row, dict) else row for name, (_, row) in used.items()}
    words = {*STAGED, "vmap", "grad", "abstract"}
    assert traced == {name: [word in words] for name, (word, _) in used.items()}
    once = {name for name, (word, row) in used.items() if word in ("jit", "pmap") and row["times"] == 1}
    # A module of Flax is another one each time; Equinox's pmap is deprecated, and compiles again.
    assert {name for name, (word, _) in used.items() if word in ("jit", "pmap")} - once == {
        "flax.linen.jit",
        "equinox.filter_pmap",
    }
    assert {name for name, (word, row) in used.items() if word == "branch" and row["times"] < 2} == set()


def test_keys() -> None:
    """The first parameter of a function on keys is the key, and what it makes is decided by it."""
    drawn = seen()["drawn"]
    assert len(drawn) > 35
    words = TABLES["keys"]
    parameters = {name: row["parameter"] if isinstance(row, dict) else row for name, row in drawn.items()}
    assert {name: each for name, each in parameters.items() if each not in TABLES["keys.arguments"]["names"]} == {}
    assert {name for name, row in drawn.items() if not (row["again"] and row["other"])} == set()
    assert {name for name, row in drawn.items() if words[name] in ("splits", "derives") and row["itself"]} == set()


def test_facts() -> None:
    """What the comments of the tables say of keys, states and filters."""
    found = seen()["facts"]
    assert len(found) > 12
    assert [fact for fact, holds in found.items() if not holds] == []
