"""Tensors that one stream makes and another uses, with nothing that keeps them apart: a race, or memory that is given away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import last_name
from trainlint.facts.dynamo.tensors import TracedTensors
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import in_tests, tests_software
from trainlint.facts.streams.contexts import Contexts, sites
from trainlint.facts.values import Frame, Made
from trainlint.finding import Applicability, Spot
from trainlint.ir.nodes import Attr, BinOp, Call, Ref, Subscript, Term
from trainlint.ir.order import is_step, within
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import CallStep, Function, With
from trainlint.ir.terms import parts_of
from trainlint.sites.changes import Change, InsertBefore


class Unordered(NamedTuple):
    """A use of a tensor that another stream makes (``use``), or a stream that is told of itself (``record``).

    ``where`` is the block that runs in the other stream, ``by`` a call in it that leads to the place.
    """

    module: str
    call: CallStep
    what: str
    where: tuple[str, Spot]
    by: tuple[str, Spot] | None = None
    change: Change | None = None


def unordered(program: Program) -> Iterator[Unordered]:
    """Each such place."""
    asked = program.ask(Contexts)
    names = {name.rpartition(".")[2] for name, word in asked.words.items() if word == "enters"}
    if not any(True for name in names for _ in sites(program, name)):
        return
    yield from _recorded(program, asked)
    for module, function in program.functions():
        blocks = asked.beside(module, function)
        if blocks and not in_tests(module) and not tests_software(program, module, function):
            yield from _used(program, asked, module, function, blocks)


# -- a stream that is told of itself -------------------------------------------------------------------------------------


def _recorded(program: Program, asked: Contexts) -> Iterator[Unordered]:
    """``x = y.to(device); x.record_stream(current_stream())`` within the other stream: that is where ``x`` was made."""
    for name in program.knowledge.tables["cuda_streams.records"]["names"]:
        for site in sites(program, name):
            call, function = site.call.term, site.function
            if (
                not call.args
                or not isinstance(call.callee, Attr)
                or tests_software(program, site.module, function)
                or in_tests(site.module)
            ):
                continue
            stream = call.args[0]
            if not isinstance(stream, Call) or not _is_current(program, asked, stream, program.frame(site.module, function)):
                continue
            made = call.callee.base
            blocks = [each for each in asked.beside(site.module, function) if within(function, each, stream)]
            if blocks:
                if all(isinstance(made, Call) and within(function, each, made) for each in blocks):
                    yield Unordered(site.module, site.call, "record", (site.module, blocks[-1].spot))
                continue
            around = asked.around(function) if isinstance(made, Call) and is_step(function, made) else None
            if around is not None and not _is_told(program, function):
                by, block = around
                yield Unordered(site.module, site.call, "record", (by.module, block.spot), (by.module, by.call.term.site))


def _is_current(program: Program, asked: Contexts, stream: Term, frame: Frame) -> bool:
    values = program.values(stream, frame)
    return any(isinstance(value, Made) and asked.words.get(value.name) == "current" for value in values)


def _is_told(program: Program, function: Function) -> bool:
    """Whether a function is handed a stream by its callers: they know of it."""
    words = program.knowledge.tables["cuda_streams.words"]["names"]
    return any(word in parameter.lower() for parameter in function.parameters for word in words)


# -- used without waiting ------------------------------------------------------------------------------------------------


def _used(program: Program, asked: Contexts, module: str, function: Function, blocks: list[With]) -> Iterator[Unordered]:
    """What a block computed in another stream, used behind it in the same function, which waits for nothing in between."""
    frame = program.frame(module, function)
    if function.generator or any(word in function.qualname.lower() for word in ("wait", "sync")):
        return
    waits = frozenset(program.knowledge.tables["cuda_streams.waits"]["names"])
    for block in blocks:
        stream = _stream_of(program, block, frame)
        if stream is None or not asked.made(stream, frame):
            continue
        inside = [node for node in calls_of(function) if within(function, block, node)]
        made: set[Term] = {node.term for node in inside if node.term not in block.items}
        behind = [node for node in calls_of(function) if _follows(node.term.site, block.spot)]
        if any(last_name(node.term.callee) in waits or _says_so(node, waits) for node in (*inside, *behind)):
            continue
        for node in behind:
            if any(within(function, other, node) for other in blocks) or not _computes(program, node.term, made, frame):
                continue
            yield Unordered(module, node, "use", (module, block.spot), None, _waited(program, function, node, stream, block))
            break


def _stream_of(program: Program, block: With, frame: Frame) -> Term | None:
    """The stream of a block that certainly runs in it: the call stands in its header."""
    for item in block.items:
        if isinstance(item, Call) and item.args and program.ask(Contexts).word(item.callee, frame) == "enters":
            given: Term = item.args[0]
            return given
    return None


def _says_so(node: CallStep, waits: frozenset[str]) -> bool:
    name = (last_name(node.term.callee) or "").lower()
    return any(word in name for word in ("wait", "sync")) or name in waits


def _follows(spot: Spot, block: Spot) -> bool:
    return (spot.line, spot.column) >= (block.end_line, block.end_column)


def _computes(program: Program, call: Call, made: set[Term], frame: Frame) -> bool:
    """Whether a call works with the values of something that was made in the block."""
    callee = call.callee
    if isinstance(callee, Attr) and _comes_of(callee.base, made):
        return callee.name in program.knowledge.tensor_methods or callee.name in program.knowledge.reads
    tensors = program.ask(TracedTensors)
    if not any(_comes_of(given, made) for given in call.args):
        return False
    return any(tensors.computes(value) for value in program.values(callee, frame))


def _comes_of(term: Term, made: set[Term]) -> bool:
    """Whether a term is something that was made, an item of it, or arithmetic of it."""
    if term in made:
        return True
    return isinstance(term, (Subscript, BinOp)) and any(part in made for part in parts_of(term))


def _waited(program: Program, function: Function, node: CallStep, stream: Term, block: With) -> Change | None:
    """The current stream told to wait, before the statement that uses the tensor."""
    said = name_in(stream, function)
    current = _named(program, block)
    if said is None or current is None:
        return None
    code = f"{current}().wait_stream({said})"
    return InsertBefore(Applicability.DISPLAY, "Let the current stream wait", statement=node.statement, code=code)


def _named(program: Program, block: With) -> str | None:
    """How the current stream can be asked for where the block enters one: by the same import."""
    item = next((each for each in block.items if isinstance(each, Call)), None)
    if item is None or not isinstance(item.callee, (Attr, Ref)):
        return None
    dotted = item.callee.name if isinstance(item.callee, Ref) else None
    name = program.knowledge.tables["cuda_streams.current"]["name"]
    return f"{dotted.rpartition('.')[0]}.{name}" if dotted is not None and dotted.count(".") > 1 else None


__all__ = ["Unordered", "unordered"]
