"""What is logged under names that stand elsewhere: tags in dicts, norms of gradients of each layer; what only looks like it.

All programs are looked at in one run; each lies in a folder of its own.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import JobData, as_data
from trainlint.app.preflight.run import preflight

_JAX = """\
import jax
import jax.numpy as jnp
import optax
from tensorboardX import SummaryWriter

tx = optax.adam(0.1)


def size_of(tree):
    return jnp.sqrt(sum(jnp.vdot(leaf, leaf) for leaf in jax.tree_util.tree_leaves(tree)))


def train_step(weights, state, batch):
    loss, grads = jax.value_and_grad(lambda each: ((batch @ each) ** 2).mean())(weights)
    updates, state = tx.update(grads, state, weights, loss=loss, grad_norm=size_of(grads))
    weights = optax.apply_updates(weights, updates)
    scalars = {scalars}
    {more}
    return weights, state, {{"scalar": scalars}}


def write(writer, metrics, step):
    for name in metrics["scalar"]:
        writer.add_scalar(name, metrics["scalar"][name], step)


def main():
    writer = SummaryWriter("logs")
    weights = jnp.zeros(4)
    state = tx.init(weights)
    run = jax.jit(train_step)
    for step in range(100):
        weights, state, metrics = run(weights, state, jnp.ones((8, 4)))
        {written}


main()
"""
_TORCH = """\
import torch
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
def {made}(named):
    found = {{}}
    for name, weight in named:
        found[name] = float(torch.norm(weight.{of}))
    return found
def timed(function):
    return function(), 1.0
def step():
    loss = net(torch.rand(8, 4)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    stats = {made}(net.named_parameters())
    optimizer.step()
    return float(loss), stats
for epoch in range(3):
    (loss, stats), seconds = timed(step)
    {told}
"""
#: A function that puts into a dict what it is given, if it is.
_GIVEN = """\
import torch
from torch.utils.tensorboard import SummaryWriter
writer = SummaryWriter()
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
measured = getattr(net, "measured", None)
def scalars_of(loss, grad_norm=None):
    scalars = {{"train/loss": loss}}
    if grad_norm is not None:
        scalars["train/grad_norm"] = grad_norm
    return scalars
class Trainer:
    def write(self, scalars, step):
        for tracker in self.trackers:
            tracker.log(scalars, step=step)
trainer = Trainer()
trainer.trackers = [writer]
for step in range(30):
    loss = net(torch.rand(8, 4)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    logs = {call}
    trainer.write(logs, step)
"""
#: A loop whose step comes as a value, and whose number of rounds stands in a dict.
_BOUND = """\
import sys
import jax
import jax.numpy as jnp
import optax
from settings import read
tx = optax.sgd(0.1)
def one(weights, state, batch):
    grads = jax.grad(lambda each: ((batch @ each) ** 2).mean())(weights)
    updates, state = tx.update(grads, state)
    return optax.apply_updates(weights, updates), state
def train_once(held, run):
    held["weights"], held["state"] = run(held["weights"], held["state"], jnp.ones((8, 4)))
def train_loop(config, run):
    fixed = {"steps": config.steps, "name": config.name}
    held = {"step": 0, "weights": jnp.zeros(4), "state": tx.init(jnp.zeros(4))}
    while held["step"] < fixed["steps"]:
        train_once(held, run)
        held["step"] += 1
train_loop(read(sys.argv), jax.jit(one))
"""
_WRITES = "write(writer, metrics, step)"
#: By name: the text, and what is so.
PROGRAMS: dict[str, tuple[str, dict[str, str]]] = {
    "tags": (
        _JAX.format(scalars='{"learning/loss": loss}', more='scalars["learning/grad_norm"] = size_of(grads)', written=_WRITES),
        {"log-loss": "seen", "log-gradient-norm": "seen"},
    ),
    "tags that nobody writes": (
        _JAX.format(scalars='{"learning/loss": loss}', more='scalars["learning/grad_norm"] = size_of(grads)', written="pass"),
        {"log-loss": "missing", "log-gradient-norm": "unknown"},
    ),
    "a tag of what callers may give": (
        _GIVEN.format(call="scalars_of(loss, measured)"),
        {"log-loss": "seen", "log-gradient-norm": "unknown"},
    ),
    "told to the optimizer alone": (
        _JAX.format(scalars="{}", more="", written="pass"),
        {"log-loss": "missing", "log-gradient-norm": "missing"},
    ),
    "norms of layers": (_TORCH.format(made="look", of="grad", told="print(epoch, stats)"), {"log-gradient-norm": "seen"}),
    "norms of layers that nobody is told": (
        _TORCH.format(made="look", of="grad", told="print(epoch, loss)"),
        {"log-gradient-norm": "missing"},
    ),
    "norms of weights": (_TORCH.format(made="look", of="data", told="print(epoch, stats)"), {"log-gradient-norm": "missing"}),
}


@pytest.fixture(scope="module")
def jobs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, JobData]:
    """The job of each program, by its name."""
    folder = tmp_path_factory.mktemp("programs")
    for number, (text, _) in enumerate(PROGRAMS.values()):
        (folder / str(number) / ".git").mkdir(parents=True)
        (folder / str(number) / "train.py").write_text(text, encoding="utf-8")
    report = as_data(preflight([folder], settings_for(Request(paths=(str(folder),), isolated=True))))
    names = list(PROGRAMS)
    return {names[int(Path(job["script"]).parent.name)]: job for job in report["jobs"]}


@pytest.mark.parametrize("name", PROGRAMS)
def test_verdicts_are_those_of_a_reader(name: str, jobs: dict[str, JobData]) -> None:
    expected = PROGRAMS[name][1]
    found = {line["name"]: line["verdict"] for line in jobs[name]["lines"]}
    assert {each: found[each] for each in expected} == expected


@pytest.mark.parametrize(("line", "text"), [("log-loss", "learning/loss"), ("log-gradient-norm", "learning/grad_norm")])
def test_evidence_is_where_the_tag_stands(line: str, text: str, jobs: dict[str, JobData]) -> None:
    """What the optimizer is told is shown to nobody."""
    source = PROGRAMS["tags"][0].splitlines()
    told = next(each for each in jobs["tags"]["lines"] if each["name"] == line)
    assert told["evidence"]
    assert all(text in source[each["row"] - 1] for each in told["evidence"])


def test_a_step_that_comes_as_a_value_is_bounded_by_its_loop(tmp_path: Path) -> None:
    """The loop calls what JAX compiled by no name of its own; a line of the project says how its number is written."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "train.py").write_text(_BOUND, encoding="utf-8")
    (tmp_path / "run.sh").write_text("python train.py base.yml steps=20 batch=4\n", encoding="utf-8")
    report = as_data(preflight([tmp_path], settings_for(Request(paths=(str(tmp_path),), isolated=True))))
    found = {line["name"]: line for job in report["jobs"] for line in job["lines"]}
    assert found["dry-run"]["verdict"] == "seen"
    assert "steps=10" in str(found["first-steps"]["command"])
