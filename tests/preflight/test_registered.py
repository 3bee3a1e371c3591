"""Objects that are taken up by name, and saved and loaded in a loop over all of them."""

from __future__ import annotations

import pytest

from tests.preflight.programs import verdicts

#: A training with a checkpointer of its own: how this one saves and loads an item, and what it takes up.
PROGRAM = """\
import torch

class Checkpointer:
    def __init__(self, folder):
        self.folder = folder
        self.kept = {{}}
    def take_up(self, name, obj):
        self.kept[name] = obj
    def save_all(self, epoch):
        for name, obj in self.kept.items():
            {saves}
    def load_all(self, epoch):
        for name, obj in self.kept.items():
            {loads}

SAVE_HOOKS = {{torch.nn.Module: None}}

def hook_for(obj, hooks):
    return next((hook for cls, hook in hooks.items() if isinstance(obj, cls)), write_state)

def write_state(obj, path):
    torch.save(obj.state_dict(), path)

def read_state(obj, path):
    obj.load_state_dict(torch.load(path))

def main():
    net = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    checkpointer = Checkpointer("out")
    {taken}
    for epoch in range(3):
        loss = net(torch.rand(8, 4)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        checkpointer.save_all(epoch)

main()
"""
SAVES = 'write_state(obj, f"{self.folder}/{name}{epoch}.pt")'
HOOKED = 'hook_for(obj, SAVE_HOOKS)(obj, f"{self.folder}/{name}{epoch}.pt")'
LOADS = 'read_state(obj, f"{self.folder}/{name}{epoch}.pt")'
BOTH = 'checkpointer.take_up("net", net); checkpointer.take_up("optimizer", optimizer); checkpointer.load_all(0)'

CASES: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "both": ({"saves": SAVES, "loads": LOADS, "taken": BOTH}, {"contents": "seen", "resumes": "seen"}),
    "the model alone": (
        {"saves": SAVES, "loads": LOADS, "taken": 'checkpointer.take_up("net", net); checkpointer.load_all(0)'},
        {"contents": "missing", "resumes": "missing"},
    ),
    "nothing for an optimizer": (
        {"saves": SAVES, "loads": LOADS, "taken": 'checkpointer.take_up("optimizer", None); checkpointer.load_all(0)'},
        {"contents": "unknown", "resumes": "unknown"},
    ),
    "models alone are saved": (
        {
            "saves": f"if isinstance(obj, torch.nn.Module): {SAVES}",
            "loads": f"if isinstance(obj, torch.nn.Module): {LOADS}",
            "taken": BOTH,
        },
        {"contents": "missing", "resumes": "missing"},
    ),
    "the loop only prints": (
        {"saves": "print(obj)", "loads": "print(obj)", "taken": f'{BOTH}; read_state(net, "n"); write_state(net, "n")'},
        {"contents": "missing", "resumes": "missing"},
    ),
    "by a function that is found in a dict": (
        {"saves": HOOKED, "loads": LOADS, "taken": BOTH},
        {"contents": "seen", "resumes": "seen"},
    ),
    "what is loaded is a model": (
        {"saves": SAVES, "loads": "pass", "taken": 'net.load_state_dict(torch.load("net.pt"))'},
        {"resumes": "missing"},
    ),
    "what is loaded is a model, told by a parameter": (
        {"saves": SAVES, "loads": "pass", "taken": 'read_state(net, "net.pt")'},
        {"resumes": "missing"},
    ),
}

#: An object that saves and loads all its attributes; a helper that hands on what it is given; steps of JAX that are compiled.
STATE = """\
import torch

class State:
    def __init__(self, net, {takes}):
        self.step = 0
        self.net = net
        {keeps}
    def save(self, path):
        for name, each in self.__dict__.items():
            if name != "step":
                torch.save(each.state_dict(), f"{path}/{name}.pt")
    def load(self, path):
        for name, each in self.__dict__.items():
            if name != "step":
                each.load_state_dict(torch.load(f"{path}/{name}.pt"))

net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
state = State(net, optimizer)
state.load("out")
for epoch in range(3):
    optimizer.zero_grad()
    net(torch.rand(8, 4)).square().mean().backward()
    optimizer.step()
    state.save(f"out{epoch}")
"""
HELPER = """\
import torch

def save_on_master(*args, **kwargs):
    if torch.distributed.get_rank() == 0:
        torch.save(*args, **kwargs)

net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    optimizer.zero_grad()
    net(torch.rand(8, 4)).square().mean().backward()
    optimizer.step()
    save_on_master({held}, f"out{epoch}.pt")
"""
JAX = """\
from functools import partial
import jax
import jax.numpy as jnp
import wandb

def make_step(rate):
    {above}
    def train_step(optimizer, batch):
        gradients = jax.grad(lambda weights: jnp.mean(weights * batch))(optimizer.target)
        return optimizer.apply_gradient(gradients, learning_rate=rate)
    return train_step

wandb.init({told})
optimizer, step = make(), make_step(0.1)
for number in range(9):
    optimizer = step(optimizer, jnp.ones((8, 4)))
    {after}
"""
PICKLES = """\

def write(found, name):
    with open(name, "wb") as file:
        pickle.dump(found, file)
"""
WHOLE = '{"net": net.state_dict(), "optimizer": optimizer.state_dict()}'
OTHERS: dict[str, tuple[str, dict[str, str]]] = {
    "all attributes, the optimizer among them": (
        STATE.replace("{takes}", "optimizer").replace("{keeps}", "self.optimizer = optimizer"),
        {"contents": "seen", "resumes": "seen"},
    ),
    "all attributes, and the optimizer is none": (
        STATE.replace("{takes}", "other").replace("{keeps}", "self.other = None"),
        {"contents": "unknown", "resumes": "unknown"},
    ),
    "handed on, with the optimizer": (HELPER.replace("{held}", WHOLE), {"contents": "seen"}),
    "handed on, without it": (HELPER.replace("{held}", '{"net": net.state_dict()}'), {"contents": "missing"}),
    "a nested step under partial": (
        JAX.format(above='@partial(jax.pmap, axis_name="batch")', told="", after="pass"),
        {"compile": "seen", "log-memory": "seen", "saves": "missing"},
    ),
    "a nested step under nothing": (
        JAX.format(above="", told="settings=wandb.Settings(_disable_stats=True)", after="pass"),
        {"compile": "missing", "log-memory": "missing"},
    ),
    "a state is pickled": (
        "import cloudpickle as pickle\n"
        + JAX.format(above="", told="", after='write({"state": optimizer}, "model.pkl")').replace(
            "\noptimizer,", f"{PICKLES}\noptimizer,"
        ),
        {"saves": "seen", "frequency": "seen"},
    ),
    "losses are pickled": (
        "import pickle\n"
        + JAX.format(above="", told="", after='write([number], "losses.pkl")').replace("\noptimizer,", f"{PICKLES}\noptimizer,"),
        {"saves": "missing", "atomic": "not-needed"},
    ),
}


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """For each program the verdicts of its lines; all are looked at in one run."""
    programs = {name: PROGRAM.format(**parts) for name, (parts, _) in CASES.items()}
    return verdicts(tmp_path_factory.mktemp("jobs"), {**programs, **{name: text for name, (text, _) in OTHERS.items()}})


@pytest.mark.parametrize("name", CASES)
def test_objects_that_are_taken_up(answers: dict[str, dict[str, str]], name: str) -> None:
    """What was taken up is in the file, and what nobody can know is not said to be missing."""
    expected = CASES[name][1]
    assert {line: answers[name][line] for line in expected} == expected


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_handed_on_and_taken_whole(answers: dict[str, dict[str, str]], name: str) -> None:
    expected = OTHERS[name][1]
    assert {line: answers[name][line] for line in expected} == expected
