"""Keys that are used up twice: in sequence, in each round of a loop, for two kinds of draws; and keys taken for numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from trainlint.facts.jax.keys import SPLITS, Keys, Use, uses_in
from trainlint.facts.jax.stored import stored
from trainlint.facts.loops import runs_once
from trainlint.facts.naming import reference
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.finding import Applicability
from trainlint.ir.control_dependence import Failed, conditions, walk_tested
from trainlint.ir.nodes import Attr, BinOp, Call, Const, Element, Global, LoopPhi, Param, Ref, Select, Subscript, Term, Unknown
from trainlint.ir.order import loops_around, made_within, within
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import CallStep, Exit, Function, Loop, Try
from trainlint.ir.terms import parts_of
from trainlint.sites.changes import Change, InsertBefore, InsertFirst, Rewrite, Together

#: What a term has that is another one in each round of the loop it stands in, with the place of its line among its parts.
_PLACED = (Element, LoopPhi, Unknown)
#: What a repair calls the part that is used.
_PART = "subkey"
_NUMBERS = frozenset(("Add", "Sub", "Mult", "BitXor"))


class Reused(NamedTuple):
    """A key that is used again.

    ``how``: "again" (behind ``first``), "rounds" (in every round of ``loop``), "names" (for two kinds of draws in one call),
    "number" (what is used is the key plus something). ``name`` is what the key is called there, if it has a name.
    """

    module: str
    function: Function
    node: CallStep
    how: Literal["again", "rounds", "names", "number"]
    key: Term
    name: str | None
    first: CallStep | None = None
    loop: Loop | None = None
    splits: bool = False


def reused(program: Program) -> Iterator[Reused]:
    """Each such use, one for each call."""
    for module, function in program.functions():
        found = uses_in(program, module, function)
        if not found or tests_software(program, module, function) or _pretends(program, module, function):
            continue
        if program.ask(Keys).shapes_only(function):
            continue
        seen: set[Term] = set()
        for each in (
            *_again(program, module, function, found),
            *_in_rounds(module, function, found),
            *_numbers(program, module, function, found),
        ):
            if each.node.term not in seen:
                seen.add(each.node.term)
                yield each


def _pretends(program: Program, module: str, function: Function) -> bool:
    """Whether a name says that the numbers only stand for some: nobody minds if they hang together."""
    words = program.knowledge.tables["keys.pretends"]["names"]
    names = f"{module.rpartition('/')[2]} {function.name}".lower()
    return any(word in names for word in words)


def _again(program: Program, module: str, function: Function, found: list[Use]) -> Iterator[Reused]:
    """A key that is used up, and on the same way used again; not twice by one function: two models are compared so."""
    for index, use in enumerate(found):
        for before in found[:index]:
            if before.used.key is not use.used.key or not _lasts(program, use.used.key):
                continue
            name = name_in(use.used.key, function)
            splits = use.used.how == SPLITS
            if before.node is use.node:
                if before.used.name != use.used.name:
                    yield Reused(module, function, use.node, "names", use.used.key, name)
                    break
            elif _follows(before, use) and not _compares(before, use):
                yield Reused(module, function, use.node, "again", use.used.key, name, before.node, splits=splits)
                break


def _compares(before: Use, use: Use) -> bool:
    """Whether one function of the project, or one model, runs twice with the key: two sets of weights are compared so."""
    if use.used.by is not None or before.used.by is not None:
        return use.used.by is before.used.by
    return use.used.name is not None and before.used.name is not None and use.used.call.callee is before.used.call.callee


def _lasts(program: Program, key: Term) -> bool:
    """Whether a term means one key wherever it stands in its function: no attribute, nothing that somebody may change."""
    if isinstance(key, Select):
        return _lasts(program, key.then) and _lasts(program, key.other)
    if isinstance(key, Subscript):
        return isinstance(key.key, Const) and _lasts(program, key.base)
    return isinstance(key, (Param, Call, LoopPhi)) and not (
        isinstance(key, Call) and isinstance(key.callee, Ref) and key.callee.name.startswith("builtins.")
    )


def _follows(before: Use, use: Use) -> bool:
    """Whether one use runs whenever the other does, in one activation."""
    if any(isinstance(test, Failed) for test, _ in (*before.led, *use.led)):
        return False
    first, second = set(conditions(before.led)), set(conditions(use.led))
    return first <= second or second <= first


def _in_rounds(module: str, function: Function, found: list[Use]) -> Iterator[Reused]:
    """A key from outside of a loop that every round uses up."""
    for use in found:
        loops = [loop for loop in loops_around(function, use.node) if repeats(loop, use.node)]
        if not loops:
            continue
        inner = loops[-1]
        if isinstance(use.used.key, (Attr, Global)) or not is_fixed(use.used.key, function, inner):
            continue
        name = name_in(use.used.key, function)
        yield Reused(module, function, use.node, "rounds", use.used.key, name, loop=inner, splits=use.used.how == SPLITS)


def repeats(loop: Loop, node: CallStep) -> bool:
    """Whether a statement runs in each round of a loop, which has several."""
    if runs_once(loop):
        return False
    if any(isinstance(each, Exit) and each.kind in ("break", "return", "exit") for each in loop.body):
        return False
    if any(isinstance(each, Try) for each in loop.body):
        return False  # until it works
    return any(each is node and not led for each, led in walk_tested(loop.body))


def is_fixed(key: Term, function: Function, loop: Loop) -> bool:
    """Whether a term is the same in each round of a loop."""
    for part in parts_of(key):
        if isinstance(part, Call) and within(function, loop, part):
            return False
        if isinstance(part, _PLACED) and made_within(function, loop, part):
            return False
    return True


def _numbers(program: Program, module: str, function: Function, found: list[Use]) -> Iterator[Reused]:
    """Keys made from others by arithmetic: the numbers of the one may be those of the other."""
    asked, frame = program.ask(Keys), program.frame(module, function)
    used = {use.used.key for use in found}
    for use in found:
        for part in _operands(use.used.key):
            if part in used or asked.is_key(part, frame):
                yield Reused(module, function, use.node, "number", part, name_in(part, function))
                break


def _operands(term: Term) -> Iterator[Term]:
    """What a sum, a product and the like are made of; nothing for any other term."""
    if isinstance(term, BinOp) and term.op in _NUMBERS:
        for part in term.sides:
            yield part
            yield from _operands(part)


def mended(program: Program, found: Reused) -> Change | None:
    """The key split before it is used the first time, or in each round; None where it has no name, or is passed by keyword."""
    node = found.first if found.first is not None else found.node
    call = node.term
    position = next((index for index, given in enumerate(call.args) if given is found.key), None)
    if found.name is None or not found.name.isidentifier() or position is None or found.splits:
        return None
    if found.how not in ("again", "rounds"):
        return None
    split = reference(program.knowledge.written["splits"], program.modules[found.module])
    if split is None:
        return None
    code = f"{found.name}, {_PART} = {split}({found.name})"
    message = "Split the key, and use a part of it once"
    insert: Change
    if found.loop is not None:
        insert = InsertFirst(Applicability.DISPLAY, message, block=found.loop.spot, code=code)
    else:
        insert = InsertBefore(Applicability.DISPLAY, message, statement=node.statement, code=code)
    before = "".join(f"{{{index + 1}}}, " for index in range(position))
    paths: list[tuple[tuple[str, int | str], ...]] = [(("function", 0),), *((("argument", index),) for index in range(position))]
    paths.append((("arguments", position + 1),))
    code = f"{{0}}({before}{_PART}{{,{position + 1}}})"
    use = Rewrite(Applicability.DISPLAY, message, spot=call.site, code=code, paths=tuple(paths))
    return Together(Applicability.DISPLAY, message, changes=(insert, use))


__all__ = ["Reused", "is_fixed", "mended", "repeats", "reused", "stored"]
