"""Calls whose defaults matter: they leave out an argument that must be said, or say what costs more than the default.

``torch.load`` without ``weights_only`` runs whatever its pickle says; ``checkpoint`` without ``use_reentrant``;
``zero_grad`` that keeps tensors of zeros.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from trainlint.domains.constructor_arguments import Options
from trainlint.edits.changes import Change, RemoveKeyword, SetKeyword
from trainlint.finding import Applicability, Spot
from trainlint.ir.nodes import Attr, Call, Const, Dict, Param, Ref, Star, Term
from trainlint.ir.order import before
from trainlint.ir.sketch import CallStep, Function, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallGraph, CallSite
from trainlint.program.consteval import constant_everywhere
from trainlint.program.def_use import Uses as Terms
from trainlint.program.library_uses import CALL, Targeted, Use, Uses, framework, targeted
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Context, FunctionValue, Instance, Library, LibraryObject

EXPLICIT, MODULE, DEFAULT = "explicit", "module", "default"


class Load(NamedTuple):
    """A load that unpickles anything, because somebody says so (``EXPLICIT``), by another ``MODULE``, or by ``DEFAULT``.

    ``unless`` is what nobody knows of it and might make it harmless; None where nothing might.
    """

    use: Use
    why: str
    keyword: str
    since: str
    change: Change | None
    unless: str | None


def unsafe_loads(program: Program) -> Iterator[Load]:
    """Each load that may run code that stands in the file, unless the program itself has just written that."""
    table = program.knowledge.unpickles
    for use in program.ask(Uses).of(table):
        if use.kind != CALL or use.site is None:
            continue
        keyword, since, default_since, module_at = table[use.name]
        call = use.site.call.term
        target = targeted(program, use.module, framework(program))
        why, unless = _why(program, use, keyword, module_at, target, default_since)
        if why is None or _is_own_load(program, use, call) or _is_replaced(program, use):
            continue
        change = None
        said = dict(call.kwargs).get(keyword)
        if why != MODULE and not target.older_than(since) and (said is None or isinstance(said, Const)):
            change = SetKeyword(
                Applicability.UNSAFE, f"Load with `{keyword}=True`", call=call.site, keyword=keyword, value="True"
            )
        if unless is None and _buffers(program, use, call):
            unless = "the program itself wrote the content of the buffer"
        yield Load(use, why, keyword, default_since, change if unless is None else None, unless)


def _why(
    program: Program, use: Use, keyword: str, module_at: str, target: Targeted, safe_since: str
) -> tuple[str | None, str | None]:
    """Why a load unpickles anything, and what might keep it from that; None where it does not, or nobody can say."""
    assert use.site is not None
    call, frame = use.site.call.term, program.frame(use.module, use.function)
    given = dict(call.kwargs)
    said = given.get(keyword)
    if said is not None:
        stated = constant_everywhere(program, use.site, said)
        return (EXPLICIT if stated is not None and stated.value is False else None), None
    if any(isinstance(argument, Star) for argument in call.args):
        return None, None
    unless = None
    if None in given:
        if _speaks_of(program, use, keyword):
            return None, None
        unless = f"what is passed with `**` contains `{keyword}=True`"
    name, _, position = module_at.partition(" ")
    module = given.get(name) or (call.args[int(position)] if len(call.args) > int(position) else None)
    if module is not None:
        values = program.values(module, frame)
        if any(isinstance(value, Library) for value in values):
            return MODULE, unless
        return (
            MODULE if any(isinstance(value, Instance) for value in values) else None
        ), "this `pickle_module` restricts what it unpickles"
    return (None if target.ranges and not target.older_than(safe_since) else DEFAULT), unless


def _speaks_of(program: Program, use: Use, keyword: str) -> bool:
    """Whether a file has the name of a keyword as a text or a parameter: that may be in what a function hands on."""
    if keyword in use.function.parameters:
        return True
    at_the_top = (part for term in program.modules[use.module].names.values() for part in parts_of(term))
    for term in chain(program.ask(Terms).parents(use.module).of, at_the_top):
        if (isinstance(term, Const) and term.value == keyword) or (
            isinstance(term, Dict) and any(key.parts[1:] == (keyword,) for key, _ in term.items)
        ):
            return True
    return False


def _is_own_load(program: Program, use: Use, call: Call) -> bool:
    """Whether the function has written what it loads, or an empty buffer is loaded, or all of it is a test of software."""
    frame = program.frame(use.module, use.function)
    source = call.args[0] if call.args else dict(call.kwargs).get("f")
    if source is None or tests_software(program, use.module, use.function):
        return True
    if any(not made for made in _buffers(program, use, call)):
        return True
    return any(
        before(use.function, node, call) and _writes(program, node, source, frame) for node in of_kind(use.function, CallStep)
    )


def _buffers(program: Program, use: Use, call: Call) -> list[bool]:
    """The buffers in memory that a load reads, and whether each was made of bytes from elsewhere."""
    source = call.args[0] if call.args else dict(call.kwargs).get("f")
    values = program.values(source, program.frame(use.module, use.function)) if source is not None else ()
    made = [value for value in values if isinstance(value, LibraryObject) and value.name in program.knowledge.buffers]
    return [value.call is not None and bool(value.call.args) for value in made]


def _writes(program: Program, node: CallStep, source: Term, frame: Context) -> bool:
    """Whether a call writes to what is loaded: the same path, or the same file."""
    saves = any(isinstance(value, Library) and value.name in program.knowledge.pickles for value in _callee(program, node, frame))
    return saves and any(given is source for given in (*node.term.args, *(value for _, value in node.term.kwargs)))


def _callee(program: Program, node: CallStep, frame: Context) -> list[object]:
    return list(program.values(node.term.callee, frame)) if node.term.args or node.term.kwargs else []


def _is_replaced(program: Program, use: Use) -> bool:
    """Whether somebody puts another function in the place of the library's own, in a file that belongs to this one."""
    known = program.ask(_replaced)
    return bool(known) and (program.component(use.module), use.name) in known


def _replaced(program: Program) -> frozenset[tuple[str, str]]:
    """The functions of libraries in whose place somebody puts another, each with the files that it is so for."""
    return frozenset(
        (program.component(path), program.knowledge.canonical(f"{node.target.base.name}.{node.target.name}"))
        for path, function in program.functions()
        for node in of_kind(function, Store)
        if isinstance(node.target, Attr) and isinstance(node.target.base, Ref)
    )


class Unsaid(NamedTuple):
    """A call that leaves out ``keyword``, and the repair."""

    use: Use
    keyword: str
    change: Change


class Zeros(NamedTuple):
    """A call that keeps gradients as zeros, and the repair, if it is said there; ``place`` is where it is said otherwise."""

    site: CallSite
    keyword: str
    change: Change | None
    place: tuple[str, Spot] | None


def unsaid_reentrant(program: Program) -> Iterator[Unsaid]:
    """Each checkpointed call that does not say how the block is run again."""
    for use in program.ask(Uses).calls(program.knowledge.reentrant):
        keyword, since = program.knowledge.reentrant[use.name]
        if use.site is None or not targeted(program, use.module, framework(program)).needs(since):
            continue
        keys = [key for key, _ in use.site.call.term.kwargs]
        if keyword in keys or None in keys:
            continue
        change = SetKeyword(Applicability.UNSAFE, f"Set `{keyword}=False`", call=use.spot, keyword=keyword, value="False")
        yield Unsaid(use, keyword, change)


def kept_zeros(program: Program) -> Iterator[Zeros]:
    """Each call that empties gradients and keeps their memory, where nobody is seen to need it."""
    index = program.ask(CallGraph)
    for method, (keyword, since) in program.knowledge.keeps_zeros.items():
        for site in index.sites.get(method, ()):
            call = site.call.term
            if not isinstance(call.callee, Attr) or not any(name in (keyword, None) for name, _ in call.kwargs):
                continue
            if site.function.name == method and isinstance(dict(call.kwargs).get(keyword), Param):
                continue  # a method of this name that hands on what it is told
            said = program.ask(Options).constant(site, keyword)
            if said is None or said.value is not False:
                continue
            frame = program.frame(site.module, site.function)
            if (
                _is_own(program, site, frame)
                or program.ask_of(_is_wanted, site.module)
                or tests_software(program, site.module, site.function)
            ):
                continue
            change: Change | None = None
            if dict(call.kwargs).get(keyword) is not said:
                pass  # it is said elsewhere, perhaps to others, too
            elif targeted(program, site.module, framework(program)).needs(since):
                change = RemoveKeyword(Applicability.SAFE, f"Remove `{keyword}=False`", call=call.site, keyword=keyword)
            else:
                message = f"Set `{keyword}=True`"
                change = SetKeyword(Applicability.SAFE, message, call=call.site, keyword=keyword, value="True")
            yield Zeros(site, keyword, change, program.ask(Options).written_at(call, frame, keyword))


def _is_own(program: Program, site: CallSite, frame: Context) -> bool:
    """Whether the method is one of the project's, which may do something else."""
    return any(isinstance(target, FunctionValue) for target in program.ask(CallGraph).targets(site.call.term, frame))


def _is_wanted(program: Program, path: str) -> bool:
    """Whether something in the file may need the gradients to stay where they are, or looks at them."""
    return any(_wants(program, function) for function in program.modules[path].functions.values())


def _wants(program: Program, function: Function) -> bool:
    wanted, gradients = program.knowledge.zeros_wanted, program.knowledge.gradient_attributes
    for call in calls_of(function):
        term = call.term
        if isinstance(term.callee, (Ref, Attr)) and term.callee.name.rpartition(".")[2] in wanted:
            return True
        if any(key in wanted for key, _ in term.kwargs):
            return True
        if any(isinstance(part, Attr) and part.name in gradients for part in parts_of(term)):
            return True
    return any(isinstance(node.target, Attr) and node.target.name in (wanted | gradients) for node in of_kind(function, Store))
