"""The names of a package of which the tables speak, against the package: whether it has them, and where their arguments stand."""

from __future__ import annotations

import functools
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from trainlint.knowledge.load import load_knowledge

pytestmark = pytest.mark.frameworks

#: What each session installs.
PACKAGES = {
    "jax": ("jax", "flax", "optax", "orbax", "equinox", "haiku", "grain"),
    "trl": ("trl",),
    "deepspeed": ("deepspeed",),
    "megatron": ("megatron",),
}
NAMED = [each for each in os.environ.get("TRAINLINT_FRAMEWORKS", "").split() if each in PACKAGES]
#: Names of older releases, or of a part that is no package: code of that age is checked, too.
GONE = {
    "jax": {
        "jax.device_put_replicated", "jax.experimental.host_callback.call", "jax.experimental.host_callback.id_tap", "jax.pjit",
        "jax.random.shuffle", "jax.tree_leaves", "jax.tree_map", "jax.tree_multimap", "flax.nn.stochastic",
        "flax.nn.stochastic.stochastic",
    },
    "trl": {
        "trl.BCOTrainer", "trl.CPOTrainer", "trl.GKDTrainer", "trl.IterativeSFTTrainer", "trl.NashMDTrainer", "trl.ORPOTrainer",
        "trl.OnlineDPOTrainer", "trl.PPOTrainer", "trl.PRMTrainer", "trl.XPOTrainer", "trl.experimental.bco.",
        "trl.experimental.nash_md.", "trl.experimental.ppo.", "trl.experimental.prm.", "trl.experimental.xpo.",
    },
    "deepspeed": {"deepspeed.comm.all_gather_base", "deepspeed.comm.reduce_scatter_base", "deepspeed.utils.see_memory_usage"},
    "megatron": {
        "megatron.core.parallel_state.get_model_parallel_rank", "megatron.initialize.initialize_megatron", "megatron.mpu.",
    },
}  # fmt: skip
#: Tables that say how names begin, and not only where they end in a dot; and tables of what no name of Python is.
BEGINNINGS = ("tracers.computes", "keys.consumers", "aliases")
_DOTTED = re.compile(r"[A-Za-z_]\w*(\.\w+)+\.?")


def names(session: str) -> dict[str, bool]:
    """The names of the packages of a session that a table holds, and whether one that begins so will do."""
    found: dict[str, bool] = {}
    for table, rows in load_knowledge().tables.items():
        if table.startswith("configurations."):
            continue
        for key, value in rows.items():
            for name in (key, *(value if isinstance(value, list) else (value,))):
                if isinstance(name, str) and _DOTTED.fullmatch(name) and name.partition(".")[0] in PACKAGES[session]:
                    found[name] = found.get(name, True) and table in BEGINNINGS
    return found


def places(session: str) -> Iterator[tuple[str, int, tuple[str, ...]]]:
    """Names with a position among their arguments, and what the parameter there may be called."""
    tables = load_knowledge().tables
    for name, order in tables["signatures"].items():
        yield from ((name, at, (each,)) for at, each in enumerate(order))
    for table in ("requests", "gathers_copies"):
        for name, said in tables[table].items():
            words = said.split()
            yield from ((name, int(at), (each,)) for at, each in zip(words[::2], words[1::2], strict=True))
    for name, said in tables["tracers.shapes"].items():
        keywords = tuple(each for each in said.split() if not each.isdigit())
        yield from ((name, int(at), keywords) for at in said.split() if at.isdigit())
    functions = tuple(tables["tracing.arguments"]["names"])
    for name, said in tables["tracing"].items():
        yield from ((name, int(at), (*functions, "wrapped")) for at in said.split()[1:] or ["0"] if at.isdigit())
    for name, said in tables["keys.carries"].items():
        body, first, _ = said.split()
        yield from ((name, int(body), functions), (name, int(first), ("init", "init_val")))


@functools.cache
def seen(session: str) -> tuple[dict[str, list[str] | None], list[str]]:
    """The parameters of these names, and those of which nothing is there."""
    program = Path(__file__).with_name("signatures.py")
    run = subprocess.run([sys.executable, str(program), json.dumps(names(session))], capture_output=True, text=True, check=False)
    found: dict[str, Any] = dict(line.split(" ", 1) for line in run.stdout.splitlines() if line.startswith(("SEEN ", "GONE ")))
    assert set(found) == {"SEEN", "GONE"}, run.stderr[-2000:]
    return json.loads(found["SEEN"]), json.loads(found["GONE"])


@pytest.mark.parametrize("session", NAMED)
def test_names(session: str) -> None:
    """A package has what the tables name of it, but for what older releases had."""
    assert len(names(session)) > 10
    assert set(seen(session)[1]) == GONE[session]


@pytest.mark.parametrize("session", NAMED)
def test_places(session: str) -> None:
    """The parameters have the names that the tables say, where they say."""
    parameters = {name: taken for name, taken in seen(session)[0].items() if taken}
    asked = [each for each in places(session) if each[0] in parameters]
    wrong = [each for each in asked if (*parameters[each[0]], *[""] * 9)[each[1]] not in each[2]]
    assert wrong == []


@pytest.mark.parametrize("session", NAMED)
def test_keywords(session: str) -> None:
    """Options have the names that the tables say."""
    tables, parameters = load_knowledge().tables, seen(session)[0]
    said = {**tables["reduces.shards"], **tables["groups.starts"], **tables["pipelines.stages"]}
    wrong = {name: option for name, option in said.items() if parameters.get(name) and option not in (parameters[name] or ())}
    assert wrong == {}
