"""Sources: what a value comes from, step by step, where a domain says what one operation makes of its operands.

Two questions, of which the answers are looked through by who asks. Parameters, choices, helpers, attributes and containers are
followed here, and a circle ends here, so that a domain needs no recursion and no limit of its own:

* :func:`reached`: all expressions that a term comes from, through those that the domain takes apart;
* :func:`innermost`: the values at the end of the way, through wrappers that the domain knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from trainlint.ir.nodes import Attr, BoolOp, Call, Param, Select, Term
from trainlint.program.constant_branch import alternatives
from trainlint.program.heap import item_of
from trainlint.program.origins import origins
from trainlint.program.program import Program
from trainlint.program.values import Argument, Context, FunctionValue, Instance, LibraryObject, Value


def reached(
    program: Program, term: Term, frame: Context, parts: Callable[[Term, Context], Iterable[Argument] | None]
) -> Iterator[Argument]:
    """A term and all that it comes from, each once, with the activations in which they stand.

    ``parts`` says of one expression what it is made of, as far as that matters (nothing: the way ends there); None where it is
    what it was made from: what a caller passes, an arm of a choice, what a helper returns or an attribute holds.
    """
    seen: set[Argument] = set()
    pending = [Argument(term, frame)]
    while pending:
        at = pending.pop()
        if at in seen:
            continue
        seen.add(at)
        yield at
        inside = parts(at.term, at.frame)
        pending += [*(_before(program, at) if inside is None else inside)][::-1]


def _before(program: Program, at: Argument) -> Iterable[Argument]:
    """One step back from an expression that makes nothing new."""
    term, frame = at
    if isinstance(term, (Select, BoolOp)):
        return [Argument(part, frame) for part in alternatives(term, frame, program)]
    passed = frame.given(term) if isinstance(term, Param) else None
    if isinstance(passed, Argument):
        return (passed,)
    if isinstance(term, Call):
        callees = [each for each in program.values(term.callee, frame) if isinstance(each, FunctionValue)]
        results = [each for each in returned(program, callees, term, frame) if each is not None]
        if results:
            return results
    return origins(program, term, frame)


def returned(
    program: Program, targets: Iterable[FunctionValue], call: Call, frame: Context, key: Term | None = None
) -> Iterator[Argument | None]:
    """What functions of the project return in this call; of a tuple the item under ``key``, None where that is not written."""
    for target in targets:
        if target.function.generator or not frame.follows(target.function):
            continue
        inner = program.enter(target, call, frame)
        for result in program.returns(target.function, inner):
            item = result if key is None else item_of(result, key)
            yield None if item is None else Argument(item, inner)


def handed_over(term: Term, frame: Context) -> list[Argument]:
    """A term, and where it is a parameter, what each caller in sight hands over for it, outermost last."""
    found = [Argument(term, frame)]
    while isinstance(found[-1].term, Param) and isinstance(given := found[-1].frame.given(found[-1].term), Argument):
        found.append(given)
    return found


def passed(term: Term, frame: Context) -> Argument:
    """What the outermost caller in sight hands over, where a term is a parameter; else the term itself."""
    return handed_over(term, frame)[-1]


def innermost(program: Program, values: Iterable[Value], around: Callable[[Value], Iterable[Argument] | None]) -> Iterator[Value]:
    """Some values; in place of each one that is around others, what these can stand for, and so on.

    ``around`` says what one value is around; None for what stands for itself.
    """
    seen: set[Value] = set()
    pending = [*values][::-1]
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        inside = around(value)
        if inside is None:
            yield value
        else:
            pending += [each for part in inside for each in program.values(part.term, part.frame)][::-1]


def arguments_of(value: Value) -> list[Argument]:
    """What the call that made an object was given by position."""
    if not isinstance(value, (LibraryObject, Instance)) or value.call is None or value.frame is None:
        return []
    return [Argument(term, value.frame) for term in value.call.args]


def iterated(program: Program, value: Value) -> list[Argument] | None:
    """What an iterator of a library goes over (table ``iterates``): what ``tqdm(loader)`` is around, or ``zip(one, other)``."""
    shape = program.knowledge.iterates.get(value.name) if isinstance(value, LibraryObject) else None
    given = arguments_of(value)
    if shape == "receiver" and isinstance(value, LibraryObject) and value.call is not None and value.frame is not None:
        return [Argument(value.call.callee.base, value.frame)] if isinstance(value.call.callee, Attr) else None
    return (given if shape == "zipped" else given[:1] if shape in ("same", "indexed") else []) or None
