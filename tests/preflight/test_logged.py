"""Dicts that are logged: what is in them, wherever they were made."""

from __future__ import annotations

import pytest

from tests.preflight.programs import verdicts

#: A training of JAX: what stands before its step, how that is compiled, what the step returns, what is done with it.
PROGRAM = """\
import jax
import jax.numpy as jnp
import optax
import wandb
{before}
optimizer = optax.sgd(0.1)
schedule = optax.constant_schedule(0.1)

def objective(params, batch):
    return jnp.square(params * batch).mean()
{decorator}
def step(params, state, batch):
    value, grads = jax.value_and_grad(objective)(params, batch)
    updates, state = optimizer.update(grads, state, params)
    metrics = {metrics}
    return optax.apply_updates(params, updates), state, metrics
def evaluate(params):
    return {"loss": objective(params, jnp.ones(4))}
run = {run}
params = jnp.ones(4)
state = optimizer.init(params)
collected = []
for number in range(3):
    params, state, found = run(params, state, jnp.ones(4))
    {log}
"""
WHOLE = '{"loss": value, "learning_rate": schedule(0), "grad_norm": optax.global_norm(grads)}'
ALL = {"log-loss": "seen", "log-learning-rate": "seen", "log-gradient-norm": "seen"}
OPEN = {"log-loss": "unknown", "log-learning-rate": "unknown", "log-gradient-norm": "unknown"}

CASES: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "of a compiled step": ({"run": "jax.jit(step)", "log": "wandb.log(found)"}, ALL),
    "of a step with a decorator": ({"decorator": "@jax.jit", "log": "wandb.log(jax.device_get(found))"}, ALL),
    "of a step that is mapped": (
        {"run": "jax.pmap(step, axis_name='b')", "log": "wandb.log(jax.tree_util.tree_map(float, found))"},
        ALL,
    ),
    "made of keywords": (
        {"metrics": "dict(loss=value, learning_rate=schedule(0), grad_norm=optax.global_norm(grads))", "log": "wandb.log(found)"},
        ALL,
    ),
    "without what is asked for": (
        {"metrics": '{"loss": value, "accuracy": value}', "log": "wandb.log(found)"},
        {"log-loss": "seen", "log-learning-rate": "missing", "log-gradient-norm": "missing"},
    ),
    "put into another one": ({"log": "logs = {'step': number}\n    logs.update(found)\n    wandb.log(logs)"}, ALL),
    "with other keys": ({"log": "wandb.log({f'train/{key}': float(each) for key, each in found.items()})"}, ALL),
    "spread out": ({"log": "wandb.log({'step': number, **found})"}, ALL),
    "item by item": ({"log": "for key, each in found.items():\n        wandb.log({key: each})"}, ALL),
    "by a function of the project": (
        {
            "before": "def note(name, value):\n    print(f'{name} = {value}')",
            "log": "for key, each in found.items():\n        note(key, each)",
        },
        ALL,
    ),
    "by a function that leaves some out": (
        {
            "before": (
                "def note(metrics):\n    for name, value in metrics.items():\n"
                "        if not name.startswith('optim'):\n            print(f'{name} = {value}')"
            ),
            "log": "note(found)",
        },
        OPEN,
    ),
    "where a configuration wants it": (
        {"before": "import sys\ncfg = sys.modules['settings']", "log": "if cfg.wandb is not None:\n        wandb.log(found)"},
        OPEN,
    ),
    "by a function that logs nothing": (
        {
            "before": "def note(name, value):\n    return name, value",
            "log": "for key, each in found.items():\n        note(key, each)",
        },
        {"log-loss": "missing", "log-learning-rate": "missing", "log-gradient-norm": "missing"},
    ),
    "collected, and then averaged": (
        {
            "before": "def average(all_of):\n    return {key: sum(each[key] for each in all_of) for key in all_of[0].keys()}",
            "log": "collected.append(found)\n    wandb.log(average(collected))",
        },
        ALL,
    ),
    "only returned": ({"log": "pass"}, {"log-loss": "missing", "log-learning-rate": "missing", "log-gradient-norm": "missing"}),
    "put into a dict that is only returned": (
        {"metrics": '{}\n    metrics["loss"] = value', "log": "pass"},
        {"log-loss": "unknown", "log-learning-rate": "missing"},
    ),
    "put into a dict that is logged": (
        {"metrics": '{}\n    metrics["loss"] = value', "log": "wandb.log(found)"},
        {"log-loss": "seen"},
    ),
    "of an evaluation": ({"log": "wandb.log(evaluate(params))"}, OPEN),
    "of something unknown": (
        {"metrics": "aside(value)", "before": "from aside import aside", "log": "wandb.log(found)"},
        {**OPEN, "log-gradient-norm": "missing"},  # nothing computes one
    ),
    "another part of what is returned": ({"log": "wandb.log(state)"}, OPEN),
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """For each case the verdicts of its lines."""
    sources: dict[str, str] = {}
    for case, (parts, _) in CASES.items():
        text = PROGRAM
        for name, usual in (("before", ""), ("decorator", ""), ("metrics", WHOLE), ("run", "step"), ("log", "pass")):
            text = text.replace("{" + name + "}", parts.get(name, usual))
        sources[case] = text
    return verdicts(tmp_path_factory.mktemp("logged"), sources)


@pytest.mark.parametrize("case", CASES)
def test_verdicts_are_the_right_ones(case: str, found: dict[str, dict[str, str]]) -> None:
    wanted = CASES[case][1]
    assert {name: found[case][name] for name in wanted} == wanted
