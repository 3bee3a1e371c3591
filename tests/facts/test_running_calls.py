"""What runs while a function does, in order: the statements of what it calls stand where they are called."""

from __future__ import annotations

import ast
import textwrap

from trainlint.ir.lower import lower
from trainlint.ir.sketch import CallStep
from trainlint.ir.walk import walk
from trainlint.knowledge import load_knowledge
from trainlint.program.call_graph import last_name
from trainlint.program.imports import ModuleFinder
from trainlint.program.program import Program
from trainlint.program.running_calls import Entered, activations, each_call, executed
from trainlint.program.values import Context

SOURCE = """
    import torch
    class Trainer:
        def fit(self):
            self.begin(1)
            for batch in [1, 2]:
                self.step(batch)
            end()
        def begin(self, n):
            again(n)
        def step(self, batch):
            torch.relu(batch)
            save()
    def again(n):
        torch.abs(n)
        again(n - 1)
    def save():
        torch.save(1, "x")
    def end():
        torch.neg(1)
"""


def program() -> tuple[Program, Context]:
    known = load_knowledge({})
    module = lower("/p/main.py", ast.parse(textwrap.dedent(SOURCE)), known.exits)
    made = Program({"/p/main.py": module}, ModuleFinder({"/p/main.py"}, ["/p"]), known)
    return made, made.frame("/p/main.py", module.functions["Trainer.fit"])


def run(frame: Context, entered: Entered) -> list[tuple[str | None, str]]:
    found = executed(frame.function.body, frame, lambda block, _: walk(block), entered)
    return [(last_name(node.term.callee), here.function.name) for node, here in found if isinstance(node, CallStep)]


def test_calls_in_the_order_in_which_they_run() -> None:
    asked, frame = program()
    assert run(frame, lambda node, here: activations(asked, node.term, here)) == [
        ("begin", "fit"),
        ("again", "begin"),
        ("abs", "again"),
        ("again", "again"),  # what runs already is not gone into
        ("step", "fit"),
        ("relu", "step"),
        ("save", "step"),
        ("save", "save"),
        ("end", "fit"),
        ("neg", "end"),
    ]


def test_only_what_runs_inside_is_gone_into() -> None:
    asked, frame = program()
    steps = executed(frame.function.body, frame, lambda block, _: block, each_call(asked))
    assert [last_name(node.term.callee) for node, _ in steps if isinstance(node, CallStep)] == [
        "begin",
        "again",
        "abs",
        "again",
        "end",
        "neg",
    ]
