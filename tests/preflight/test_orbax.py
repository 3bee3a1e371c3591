"""Trainings of JAX that Orbax saves for: what it saves, restores and keeps; which jit and which key are of the training.

All programs are looked at in one run; each lies in a folder of its own.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import JobData, as_data
from trainlint.app.preflight.run import preflight

#: A training whose manager comes as a parameter, with places to fill in.
_TRAIN = """\
import argparse
import jax
import jax.numpy as jnp
import optax
import orbax.checkpoint as ocp
from flax.training import train_state
from orbax.checkpoint.checkpoint_managers import preservation_policy as policies

parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--keep", type=int, default=None)
args = parser.parse_args()


def keep(manager, step, state):
    manager.save(step, args=ocp.args.Composite(items=ocp.args.{save}))
    {each}


def take_up(manager, state, mode):
    latest_step = manager.latest_step()
    if latest_step is None:
        return state
    match mode:
        case "params":
            return manager.restore(latest_step, args=ocp.args.{restore})
        case _:
            return manager.restore(latest_step, args=ocp.args.{restore})


def examples(key):
    return jax.random.normal(jax.random.PRNGKey(7), (8, 4))


def train_step(state, batch):
    grads = jax.grad(lambda weights: ((batch @ weights) ** 2).mean())(state.params)
    return state.apply_gradients(grads=grads)


def main(manager):
    key = jax.random.PRNGKey({seed})
    weights = jax.random.normal(key, (4,))
    state = train_state.TrainState.create(apply_fn=None, params=weights, tx=optax.sgd(0.1))
    state = take_up(manager, state, "all")
    {compiled}
    for step in range(100):
        key = jax.jit(jax.random.fold_in)(key, step)
        state = step_of(state, examples(key))
        keep(manager, step, state)


main(ocp.CheckpointManager("/tmp/kept", options=ocp.CheckpointManagerOptions({options})))
"""
_FILLED = {
    "save": "StandardSave(state)",
    "restore": "StandardRestore(state)",
    "each": "",
    "seed": "args.seed",
    "compiled": "step_of = jax.jit(train_step)",
    "options": "",
}
#: By name: what is filled in another way, and what is so.
PROGRAMS: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "a whole state": ({}, {"contents": "seen", "loads": "seen", "resumes": "seen", "compile": "seen", "preemption": "missing"}),
    "a whole state, by name": ({"save": "PyTreeSave(item=state)"}, {"contents": "seen"}),
    "weights alone": (
        {"save": "StandardSave(state.params)", "restore": "StandardRestore(state.params)"},
        {"contents": "unknown", "loads": "seen", "resumes": "missing"},
    ),
    "asks for a preemption": (
        {"each": "if manager.reached_preemption(step):\n        manager.wait_until_finished()\n        raise SystemExit"},
        {"preemption": "seen"},
    ),
    "keeps three": ({"options": "preservation_policy=policies.LatestN(3)"}, {"pruned": "seen"}),
    "keeps as many as are said": ({"options": "preservation_policy=policies.LatestN(args.keep)"}, {"pruned": "unknown"}),
    "keeps all": ({"options": "preservation_policy=policies.LatestN(None)"}, {"pruned": "unknown"}),
    "nothing but a library's function is compiled": ({"compiled": "step_of = train_step"}, {"compile": "missing"}),
    "a constant key": ({"seed": "0"}, {"seeds": "seen"}),
}


@pytest.fixture(scope="module")
def jobs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, JobData]:
    """The job of each program, by its name."""
    folder = tmp_path_factory.mktemp("programs")
    for number, (filled, _) in enumerate(PROGRAMS.values()):
        (folder / str(number) / ".git").mkdir(parents=True)
        (folder / str(number) / "train.py").write_text(_TRAIN.format(**(_FILLED | filled)), encoding="utf-8")
    report = as_data(preflight([folder], settings_for(Request(paths=(str(folder),), isolated=True))))
    names = list(PROGRAMS)
    return {names[int(Path(job["script"]).parent.name)]: job for job in report["jobs"]}


@pytest.mark.parametrize("name", PROGRAMS)
def test_verdicts_are_those_of_a_reader(name: str, jobs: dict[str, JobData]) -> None:
    expected = PROGRAMS[name][1]
    found = {line["name"]: line["verdict"] for line in jobs[name]["lines"]}
    assert {each: found[each] for each in expected} == expected


@pytest.mark.parametrize(("line", "text"), [("compile", "jax.jit(train_step)"), ("seeds", "PRNGKey(args.seed)")])
def test_evidence_is_of_the_training(line: str, text: str, jobs: dict[str, JobData]) -> None:
    """Neither how a key is drawn nor what draws examples is shown."""
    source = _TRAIN.format(**_FILLED).splitlines()
    told = next(each for each in jobs["a whole state"]["lines"] if each["name"] == line)
    rows = [each["row"] for each in told["evidence"]]
    assert rows
    assert all(text in source[row - 1] for row in rows)
