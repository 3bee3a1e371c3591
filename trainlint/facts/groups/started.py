"""The calls that start the group of processes, and the backend that each may be given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.command_line import defaults_of
from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, Frame, Instance, Library, Made, Other, Value
from trainlint.ir.nodes import Attr, Call, Compare, Const, ItemDisplay, Param, Self, Term
from trainlint.ir.sketch import Function, If
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind

_EQUAL, _ANY = "Eq", "In"


class Start(NamedTuple):
    """A call that starts the group. ``backends`` are the names that it may be given; None when nobody can say."""

    site: CallSite
    name: str
    backends: frozenset[str] | None

    @property
    def function(self) -> Function:
        """The function in which the call stands."""
        return self.site.function

    def given(self, program: Program, parameter: str) -> Term | None:
        """What the call says for a parameter, by name or by position."""
        call = self.site.call.term
        named = dict(call.kwargs).get(parameter)
        names = program.knowledge.signatures.get(self.name, [])
        position = names.index(parameter) if parameter in names else len(call.args)
        return named if named is not None or position >= len(call.args) else call.args[position]

    def on_gpus(self, program: Program) -> bool:
        """Whether the group may be one that works between GPUs only."""
        known = program.knowledge.tables["groups"]["on_gpus"]
        return any(word in name for name in self.backends or () for word in known)


def starts(program: Program) -> tuple[Start, ...]:
    """All calls of a program that start the group of processes."""
    return tuple(_starts(program))


def _starts(program: Program) -> Iterator[Start]:
    table = program.knowledge.tables["groups.starts"]
    seen: set[int] = set()
    for last in sorted({name.rpartition(".")[2] for name in table}):
        for site in program.ask(CallGraph).sites_named(last):
            frame = program.frame(site.module, site.function)
            name = next((each for each in _names(program, site.call.term, frame) if each in table), None)
            if name is not None and id(site.call) not in seen:
                seen.add(id(site.call))
                plain = Start(site, name, None)
                yield plain._replace(backends=_backends(program, plain, frame))


def _names(program: Program, call: Call, frame: Frame) -> Iterator[str]:
    """The names of libraries that a callee stands for, also of a module that was imported by its name."""
    for target in program.ask(CallGraph).targets(call, frame):
        if isinstance(target, Library):
            yield target.name
    callee = call.callee
    if isinstance(callee, Attr):
        for base in program.values(callee.base, frame):
            if isinstance(base, Made) and base.name in program.knowledge.tables["groups"]["imports"] and base.call and base.frame:
                for name in base.call.args[:1]:
                    for module in _texts(program, name, frame if isinstance(name, Attr) else base.frame):
                        yield program.knowledge.canonical(f"{module}.{callee.name}")


def _texts(program: Program, term: Term, frame: Frame) -> Iterator[str]:
    """The texts that a term may be; of an attribute of the object at hand, what the object's own class says."""
    owner = frame.owner()
    if isinstance(term, Attr) and isinstance(term.base, Self) and isinstance(owner, Instance):
        found = program.class_attribute(ClassValue(owner.module, owner.cls), term.name)
        term, frame = (found[1], found[0]) if found is not None else (term, frame)
    for value in program.values(term, frame):
        if isinstance(value, Other) and isinstance(value.term, Const) and isinstance(value.term.value, str):
            yield value.term.value


def _backends(program: Program, start: Start, frame: Frame) -> frozenset[str] | None:
    words = program.knowledge.tables["groups"]
    given = start.given(program, program.knowledge.tables["groups.starts"][start.name])
    if given is None or (isinstance(given, Const) and given.value is None):
        # torch takes one backend for tensors on GPUs, and another for those on the host
        return frozenset(
            words["on_gpus"] if start.name in words["on_gpus_by_default"] else (*words["on_gpus"], *words["on_hosts"])
        )
    found = {name for value in program.values(given, frame) for name in _spelled(program, value, start.site.module)}
    found |= _compared(given, start.function)
    return frozenset(found) or None


def _spelled(program: Program, value: Value, module: str) -> Iterator[str]:
    """How a backend is written, or what it is when the command line does not say."""
    if isinstance(value, Library):
        name = value.name.rpartition(".")[2]
        yield name.lower()
        yield from (str(each).lower() for each in defaults_of(program, name, module) if each is not None)
    elif isinstance(value, Other):
        name = (
            str(value.term.value if isinstance(value.term, Const) else value.term.name)
            if isinstance(value.term, (Attr, Const, Param))
            else ""
        )
        if isinstance(value.term, Const):
            yield name.lower()
            return
        if isinstance(value.term, Param):
            default = value.frame.function.defaults.get(name)
            if default is not None and isinstance(default, Const):
                yield str(default.value).lower()
        yield from (str(each).lower() for each in defaults_of(program, name, module) if each is not None)


def _compared(given: Term, function: Function) -> set[str]:
    """The texts that a value is compared with in a function: a program asks for what may be."""
    found: set[str] = set()
    for node in of_kind(function, If):
        for part in parts_of(node.condition):
            if isinstance(part, Compare) and part.op in (_EQUAL, _ANY) and given in (part.left, part.right):
                other = part.right if part.left is given else part.left
                texts = other.items if isinstance(other, ItemDisplay) and type(other.items) is tuple else (other,)
                found.update(str(each.value).lower() for each in texts if isinstance(each, Const) and isinstance(each.value, str))
    return found
