"""The precision of a whole model: parameters turned into float16 and trained so, or everything in float32.

Models whose parameters are turned into float16 and then trained by an optimizer that keeps no float32 copies of
them.

Training scripts that compute everything in plain float32 on a GPU: nothing of the program asks for another
precision.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.training_scripts import Entry, entries
from trainlint.flow.events import Event
from trainlint.flow.rounds import Rounds
from trainlint.ir.nodes import Attr, Call, Const, Ref, Subscript, Term
from trainlint.ir.sketch import CallStep, Keep, Module, Store
from trainlint.ir.terms import parts_of, text_of
from trainlint.ir.walk import of_kind, statements_of
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.contexts import contexts_at
from trainlint.program.enclosing import surroundings
from trainlint.program.imports import imported
from trainlint.program.naming import reference
from trainlint.program.object_identity import Identities, Keys
from trainlint.program.program import Program
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Context, Library, LibraryObject

_HALF, _TO, _FLOAT, _TYPE = "half", "to", "float", "dtype"
#: The key of a group's parameters.
_PARAMETERS = "params"


class Halved(NamedTuple):
    """A call that turns parameters into float16; ``step`` is that of the optimizer that trains them, made by ``optimizer``."""

    site: CallSite
    step: Event
    optimizer: LibraryObject


def trained(program: Program) -> Iterator[Halved]:
    """The models that are trained in float16, one for each call that makes them so."""
    halves = list(_halves(program))
    if not halves:
        return
    back = {key for _, frame, model in _conversions(program, _FLOAT) for key in program.ask(Identities).of(model, frame)}
    seen: set[Term] = set()
    for found in program.ask(Rounds).around("step", "backward", "step"):
        if any(event.way != "plain" for event in found.of_kind("backward")):
            continue
        for step in found.own_steps():
            made = step.thing.made if step.thing is not None and step.way == "plain" else None
            if made is None or len(made) != 1 or not isinstance(made[0], LibraryObject) or not _is_plain(program, made[0]):
                continue
            if any(event.may_change(program, step.thing) for event in found.of_kind("unknown")) or _is_exchanged(program, step):
                continue
            keys = _trained_by(program, made[0])
            for site, known in halves:
                if known and known == keys and not known & back and site.call.term not in seen:
                    seen.add(site.call.term)
                    yield Halved(site, step, made[0])


def _is_plain(program: Program, made: LibraryObject) -> bool:
    """Whether an optimizer is one of the library's own, which works on the parameters themselves."""
    return any(made.name.startswith(prefix) for prefix in program.knowledge.tables["optimizers.in_place"]["names"])


def _is_exchanged(program: Program, step: Event) -> bool:
    """Whether an object of the project that steps its optimizer puts other parameters into its groups: copies in float32."""
    cls = step.frame.function.cls
    functions = program.modules[step.frame.module].functions.values()
    for function in functions if cls is not None else ():
        puts: tuple[Store | Keep, ...] = (*of_kind(function, Store), *of_kind(function, Keep)) if function.cls == cls else ()
        if any(_is_of_group(put.target) for put in puts):
            return True
    return False


def _is_of_group(target: Term) -> bool:
    while isinstance(target, Subscript):
        if isinstance(target.key, Const) and target.key.value == _PARAMETERS:
            return True
        target = target.base
    return False


def _trained_by(program: Program, optimizer: LibraryObject) -> Keys:
    """The model all of whose parameters an optimizer is given."""
    assert optimizer.call is not None
    assert optimizer.frame is not None
    first = optimizer.call.args[0] if optimizer.call.args else None
    if (
        first is None
        or not isinstance(first, Call)
        or not isinstance(first.callee, Attr)
        or first.callee.name not in program.knowledge.hands_parameters
    ):
        return frozenset()
    return program.ask(Identities).of(first.callee.base, optimizer.frame)


def _halves(program: Program) -> Iterator[tuple[CallSite, Keys]]:
    for site, frame, model in (*_conversions(program, _HALF), *_conversions(program, _TO)):
        keys = program.ask(Identities).of(model, frame)
        if len(keys) == 1:
            yield site, keys


def _conversions(program: Program, name: str) -> Iterator[tuple[CallSite, Context, Term]]:
    """The calls of a method that changes the type of a whole model, whatever happens, with what they are called on."""
    for site in program.ask(CallGraph).sites.get(name, ()):
        call = site.call.term
        if not isinstance(call.callee, Attr) or tests_software(program, site.module, site.function):
            continue
        if name != _FLOAT and program.ask_of(surroundings, site.function).of(call).tests:
            continue
        alone, given = program.frame(site.module, site.function), (*call.args, *(value for _, value in call.kwargs))
        narrow = name != _TO or any(_is_narrow(program, each, alone) for each in given)
        asked = dict(call.kwargs).get(_TYPE)
        if not narrow and (asked is None or isinstance(asked, (Const, Ref))):
            continue
        for frame in contexts_at(program, site):
            if narrow or (asked is not None and _is_narrow(program, asked, frame)):
                yield site, frame, call.callee.base


def _is_narrow(program: Program, term: Term, frame: Context) -> bool:
    """Whether an argument is float16 for certain."""
    names = [value.name if isinstance(value, Library) else "" for value in program.values(term, frame)]
    return bool(names) and all(name in program.knowledge.narrow for name in names)


_NAMED = re.compile(r"[a-z]+|[A-Z][a-z]*|[0-9]+")
#: Words by which people say of a setting that it is one.
_ASKED = frozenset(("use", "is", "with", "enable"))


class Plain(NamedTuple):
    """A training script in float32; ``code`` lets its matrix products be faster, where that can be written above its start."""

    entry: Entry
    code: str | None


class _Said(NamedTuple):
    """What a file says of precision, of the GPU, and of layers that are made of large products."""

    precision: bool
    gpu: bool
    heavy: bool


def plain(program: Program) -> Iterator[Plain]:
    """The trainings on a GPU for whose precision nobody has done anything, with models that would be faster.

    One that several scripts start is found once.
    """
    known: dict[str, list[_Said]] = {}
    tables = program.knowledge.tables
    first: dict[tuple[str, Term], Entry] = {}
    for entry in entries(program):
        first.setdefault((entry.backward.module, entry.backward.call.term), entry)
    for entry in first.values():
        component = program.component(entry.module)
        if component not in known:
            known[component] = _said_in(program, component)
        said = known[component]
        if any(each.precision for each in said) or not all((any(each.gpu for each in said), any(each.heavy for each in said))):
            continue
        call = reference(str(tables["plain.cure"]["name"]), program.modules[entry.module])
        within = entry.start.call is entry.backward.call or call is None
        yield Plain(entry, None if within else f'{call}("{tables["plain.cure"]["value"]}")')


def _said_in(program: Program, component: str) -> list[_Said]:
    """What the files of a component say, up to the first that says something of precision."""
    said: list[_Said] = []
    for path, module in program.modules.items():
        if program.component(path) == component:
            said.append(_said(program, module))
            if said[-1].precision:
                break
    return said


def _said(program: Program, module: Module) -> _Said:
    tables = program.knowledge.tables
    sure, others = (frozenset(tables[f"plain.{name}"]["names"]) for name in ("words", "others"))
    words = _Words(sure, others, re.compile("|".join(map(re.escape, tables["plain.parts"]["names"]))))
    frameworks = tuple(tables["plain.frameworks"]["names"])
    moves = frozenset(tables["plain.moves"]["names"])
    layers, libraries = frozenset(tables["plain.layers"]["names"]), tuple(tables["plain.libraries"]["names"])
    devices = program.knowledge.accelerators
    packages = [program.knowledge.canonical(dotted) for dotted in imported(module)]
    precision = any(words.speaks(dotted) for dotted in (*packages, *module.names))
    precision = precision or any(name in dotted.partition(".")[0] for dotted in packages for name in frameworks)
    heavy = any(dotted.startswith(libraries) for dotted in packages)
    gpu = moved = False
    for text in {*_texts(module)}:
        precision = precision or words.speaks(text)
        heavy = heavy or text.rpartition(".")[2] in layers
        moved = moved or text in moves
        gpu = gpu or not devices.isdisjoint(re.split(r"[.:]", text))
        if precision:
            break
    return _Said(precision, gpu and moved, heavy)


class _Words(NamedTuple):
    """Words that speak of a precision: ``sure`` ones wherever they stand in a name, ``others`` where no other word does.

    A ``double_conv`` is none, ``half`` and ``mixed_precision`` are. ``parts`` speak of it wherever they stand.
    """

    sure: frozenset[str]
    others: frozenset[str]
    parts: re.Pattern[str]

    def speaks(self, text: str) -> bool:
        """Whether a name, or a text that is a word, says something of precision."""
        lower = text.lower()
        if len(text) > 60 or " " in text:  # noqa: PLR2004 - a sentence: what it speaks of is not done by it
            return "-" in text[:2] and self.parts.search(lower) is not None
        if self.parts.search(lower):
            return True
        said = {word.lower() for word in _NAMED.findall(text)} - _ASKED
        return not self.sure.isdisjoint(said) or (bool(said) and said <= self.others)


def _texts(module: Module) -> Iterator[str]:
    """The names and texts of a file."""
    terms: list[Term] = []
    for function in module.functions.values():
        yield from (function.name, *function.parameters)
        for node in statements_of(function):
            if isinstance(node, CallStep):
                terms.append(node.term)
            elif isinstance(node, (Store, Keep)):
                terms += (node.target, node.value)
    for part in parts_of(*terms):
        if isinstance(part, Call):
            yield from (name for name, _ in part.kwargs if name)
            yield last_name(part.callee) or ""
        said = text_of(part)
        if said is not None:
            yield said
