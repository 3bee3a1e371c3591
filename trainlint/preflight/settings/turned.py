"""Constants at the top of a file by which people turn a part of it on: ``wandb_log = False``."""

from __future__ import annotations

from trainlint.facts.program import Program
from trainlint.ir.nodes import And, Call, Const, Global, Term
from trainlint.preflight.settings.options import Options
from trainlint.preflight.values.words import split, words_of


def switch(program: Program, options: Options, path: str, tested: tuple[Term, bool], call: Call) -> str | None:
    """The constant at the top of a file without which a test does not lead to a call.

    Tests at the top level hold the constant's value, and not its name: there it is one that speaks of what is called.
    """
    test, arm = tested
    leaves = [test] if not isinstance(test, And) else list(test.operands)
    if not arm:
        return None
    for each in leaves:
        if isinstance(each, Global) and each.name in options.switches(path):
            return each.name
    if not any(isinstance(each, Const) and each.value is False for each in leaves):
        return None
    said = frozenset(words_of(program, call.callee))
    return next((name for name in options.switches(path) if not said.isdisjoint(split(name))), None)
