"""The printer: one value as the model has it, in prose, and as source code where it stands."""

from __future__ import annotations

import pytest

from tests.ir.revealing import lowered
from trainlint.ir.nodes import Term
from trainlint.ir.printer import code_in, model_in, name_in, show, spelled
from trainlint.ir.sketch import CallStep, Function
from trainlint.ir.walk import of_kind

SOURCE = """
    import torch

    class Trainer:
        def run(self, model, window, loader):
            loss = model(torch.ones(2))
            for step, batch in enumerate(loader):
                use({})
                model = model.to(batch)
"""


def given(expression: str) -> tuple[Term, Function]:
    """What ``use`` is called with, and the function around."""
    function = lowered(SOURCE.replace("{}", expression)).functions["Trainer.run"]
    return of_kind(function, CallStep)[-2].term.args[0], function


@pytest.mark.parametrize(
    ("expression", "as_model", "in_prose", "name", "code"),
    [
        ("window", "window", "window", "window", "window"),
        ("3", "3", "3", None, "3"),
        ("self.net.head", "self.net.head", "self.net.head", "self.net.head", "self.net.head"),
        ("loss", "model(torch.ones(2))", "model(torch.ones(2))", "loss", "loss"),
        ("torch.float16", "torch.float16", "torch.float16", None, None),
        ("len(loader)", "builtins.len(loader)", "len(loader)", None, None),
        ("(window + 1) % 2 == 0", "(((window Add 1) Mod 2) Eq 0)", "((window + 1) % 2) == 0", None, "(window + 1) % 2 == 0"),
        ("window and not loader", "(window and not loader)", "window and (not loader)", None, None),
        ("[window, 2]", "list(window, 2)", "[window, 2]", None, None),
        ("loader[window:]", "loader[window:]", "loader[...]", None, None),
    ],
)
def test_each_way_of_writing_a_value(expression: str, as_model: str, in_prose: str, name: str | None, code: str | None) -> None:
    term, function = given(expression)
    assert [show(term), spelled(term), name_in(term, function), code_in(term, function)] == [as_model, in_prose, name, code]


def test_a_name_that_a_loop_changes_is_one_of_a_model_only() -> None:
    term, function = given("model.head")
    assert (name_in(term, function), model_in(term, function)) == (None, "model.head")


def test_an_opposite_is_written_without_not_where_that_can_be() -> None:
    assert code_in(*given("window > 1"), opposite=True) == "window <= 1"
    assert code_in(*given("self.on"), opposite=True) == "not self.on"
