"""Whether gradients are recorded where ``here()`` is called, in the activations that its callers make."""

from __future__ import annotations

import ast
import textwrap

import pytest

from trainlint.domains.grad_mode import GradMode
from trainlint.ir.lower import lower
from trainlint.ir.printer import show
from trainlint.ir.sketch import CallStep
from trainlint.ir.walk import statements_of
from trainlint.knowledge import load_knowledge
from trainlint.program.contexts import calling_contexts
from trainlint.program.imports import ModuleFinder
from trainlint.program.program import Program

PATH = "/project/file.py"


def modes(source: str) -> set[str]:
    """What is said of each ``here()``, in every activation of its function."""
    text = "import torch\nfrom torch import no_grad\n" + textwrap.dedent(source)
    module = lower(PATH, ast.parse(text), frozenset())
    program = Program({PATH: module}, ModuleFinder({PATH}, ["/project"]), load_knowledge())
    found = set()
    for path, function in program.functions():
        for node in statements_of(function):
            if isinstance(node, CallStep) and show(node.term.callee).endswith("here"):
                found.update(
                    program.ask(GradMode).at(frame, node.term.site) for frame in calling_contexts(program, path, function)
                )
    return found


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("here()", "on"),
        ("with torch.no_grad():\n    x = here()", "off"),
        ("with no_grad():\n    for x in y:\n        if x:\n            here()", "off"),
        ("with torch.no_grad():\n    pass\nhere()", "on"),
        ("with torch.no_grad():\n    with torch.enable_grad():\n        here()", "on"),
        ("with torch.inference_mode():\n    here()", "off"),
        ("with torch.set_grad_enabled(False):\n    here()", "off"),
        ("with torch.set_grad_enabled(True):\n    here()", "on"),
        ("with torch.set_grad_enabled(flag):\n    here()", "unknown"),
        ("torch.set_grad_enabled(False)\nhere()", "off"),
        ("torch.set_grad_enabled(False)\ntorch.set_grad_enabled(True)\nhere()", "on"),
        ("here()\ntorch.set_grad_enabled(False)", "on"),
        ("@torch.no_grad()\ndef f():\n    here()", "off"),
        ("@torch.inference_mode\ndef f():\n    here()", "off"),
        ("def smart(fn):\n    return torch.inference_mode()(fn)\n@smart\ndef f():\n    here()", "off"),
        ("def make(v):\n    def d(fn):\n        return torch.no_grad()(fn)\n    return d\n@make(1)\ndef f():\n    here()", "off"),
        ("def plain(fn):\n    return fn\n@plain\ndef f():\n    here()", "on"),
        ("def quiet(model):\n    with torch.no_grad():\n        yield\nwith quiet(m):\n    here()", "off"),
        ("with torch.no_grad() if x else torch.enable_grad():\n    here()", "unknown"),
        ("with torch.no_grad() if x else nothing():\n    here()", "unknown"),
        ("with nothing() if x else torch.no_grad():\n    here()", "unknown"),
        ("with torch.no_grad() if x else torch.inference_mode():\n    here()", "off"),
        ("mode = torch.no_grad() if x else nothing()\nwith mode:\n    here()", "unknown"),
        ("with one() if x else other():\n    here()", "on"),
        ("with nothing():\n    here()", "on"),
        ("with torch.no_grad(), open(x) as y:\n    here()", "off"),
        ("with torch.no_grad(), torch.enable_grad():\n    here()", "on"),
        ("with torch.enable_grad(), torch.no_grad():\n    here()", "off"),
        ("with torch.no_grad():\n    def f():\n        here()\nf()", "on"),
        ("def timed(model):\n    yield\nwith timed(m):\n    here()", "on"),
        ("def f():\n    here()\nwith torch.no_grad():\n    f()", "off"),
        ("def f():\n    here()\ndef g():\n    f()\nwith torch.no_grad():\n    g()", "off"),
        ("def f(train):\n    with torch.set_grad_enabled(train):\n        here()\nf(False)", "off"),
        ("def f(train):\n    with torch.set_grad_enabled(train):\n        here()\nf(train=True)", "on"),
        (
            "import lightning\nclass M(lightning.LightningModule):\n    def validation_step(self, b):\n        here()",
            "off",
        ),
        ("import lightning\nclass M(lightning.LightningModule):\n    def training_step(self, b):\n        here()", "on"),
    ],
)
def test_the_mode_at_a_place(source: str, expected: str) -> None:
    assert modes(source) == {expected}


def test_callers_may_differ() -> None:
    two = "def g():\n    f()\ndef f():\n    here()\nwith torch.no_grad():\n    f()"
    assert modes(two) == {"on", "off"}
    assert modes("def f():\n    here()\nf()\nwith torch.no_grad():\n    f()") == {"on", "off"}
