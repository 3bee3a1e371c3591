"""Training scripts that compute everything in plain float32 on a GPU: nothing of the program asks for another precision."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import last_name
from trainlint.facts.components import imported
from trainlint.facts.naming import reference
from trainlint.facts.program import Program
from trainlint.facts.runs.entries import Entry, entries
from trainlint.ir.names import text_of
from trainlint.ir.nodes import Call, Term
from trainlint.ir.sketch import CallStep, Keep, Module, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import statements_of

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
    """The training scripts on a GPU for whose precision nobody has done anything, with models that would be faster."""
    known: dict[str, list[_Said]] = {}
    tables = program.knowledge.tables
    for entry in entries(program):
        component = program.component(entry.module)
        if component not in known:
            modules = [module for path, module in program.modules.items() if program.component(path) == component]
            known[component] = [_said(program, module) for module in modules]
        said = known[component]
        if any(each.precision for each in said) or not all((any(each.gpu for each in said), any(each.heavy for each in said))):
            continue
        call = reference(str(tables["plain.cure"]["name"]), program.modules[entry.module])
        within = entry.start.call is entry.backward.call or call is None
        yield Plain(entry, None if within else f'{call}("{tables["plain.cure"]["value"]}")')


def _said(program: Program, module: Module) -> _Said:
    tables = program.knowledge.tables
    words = _Words(*(frozenset(tables[f"plain.{name}"]["names"]) for name in ("words", "others", "parts")))
    frameworks = tuple(tables["plain.frameworks"]["names"])
    moves = frozenset(tables["plain.moves"]["names"])
    layers, libraries = frozenset(tables["plain.layers"]["names"]), tuple(tables["plain.libraries"]["names"])
    devices = program.knowledge.accelerators
    packages = [program.knowledge.canonical(dotted) for dotted in imported(module)]
    precision = any(words.speaks(dotted) for dotted in (*packages, *module.names))
    precision = precision or any(name in dotted.partition(".")[0] for dotted in packages for name in frameworks)
    heavy = any(dotted.startswith(libraries) for dotted in packages)
    gpu = moved = False
    for text in _texts(module):
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
    parts: frozenset[str]

    def speaks(self, text: str) -> bool:
        """Whether a name, or a text that is a word, says something of precision."""
        lower = text.lower()
        if len(text) > 60 or " " in text:  # noqa: PLR2004 - a sentence: what it speaks of is not done by it
            return any(part in lower for part in self.parts) if "-" in text[:2] else False
        if any(part in lower for part in self.parts):
            return True
        said = {word.lower() for word in _NAMED.findall(text)} - _ASKED
        return not self.sure.isdisjoint(said) or (bool(said) and said <= self.others)


def _texts(module: Module) -> Iterator[str]:
    """The names and texts of a file, each once."""
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
