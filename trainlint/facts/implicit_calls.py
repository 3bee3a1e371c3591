"""What runs without being called by its name: the methods that the language asks an object for, and what iterates it."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.keyed import Keyed, key_of
from trainlint.facts.program import Program
from trainlint.facts.values import Bound, ClassValue, Frame, FunctionValue, Instance, Library, Made, Other
from trainlint.ir.nodes import Attr, Call, Const, Param, Term

#: What iterates an object, by its own name: ``next(sampler.__iter__())``.
ITER = "__iter__"
#: Shapes (table ``iterates``) of calls whose items are those of an argument; how many of them are looked through.
_HANDED_ON, _WRAPPED = ("same", "indexed", "zipped"), 4
#: What iterates an object.
_ITERATES = ("__iter__", "__next__")
#: The parameters by which a loader is given what draws its items in the process that iterates it.
_DRAWS = ("sampler", "batch_sampler")


def asked_of(program: Program, method: str, call: Call, frame: Frame, wanted: set[int]) -> Iterator[FunctionValue]:
    """The methods (of those that are ``wanted``, by id) that ``len(x)`` and its like run of the objects they are handed."""
    for given in call.args:
        for owner in iterated(program, given, frame) if method in _ITERATES else _objects(program, given, frame):
            found = method_of(program, owner, method)
            if found is not None and id(found.function) in wanted:
                yield found


def _objects(program: Program, given: Term, frame: Frame) -> Iterator[Instance]:
    """The objects of the project that a term stands for; what a library made of one (``list(x)``) is none."""
    if isinstance(given, Attr) and _keeps_items(program, given, frame):
        return
    if not isinstance(given, Call) or not any(isinstance(value, Library) for value in program.values(given.callee, frame)):
        yield from (value for value in program.values(given, frame) if isinstance(value, Instance))


def method_of(program: Program, owner: Instance, name: str) -> FunctionValue | None:
    """A method of an object."""
    found = program.method(ClassValue(owner.module, owner.cls), name)
    return FunctionValue(found[0], found[1], owner) if found is not None else None


def iterated(program: Program, subject: Term, frame: Frame, depth: int = 0) -> Iterator[Instance]:
    """The objects of the project that a loop over ``subject`` draws from: itself, behind ``enumerate``, a loader's sampler."""
    if isinstance(subject, Call) and depth < _WRAPPED:
        for callee in program.values(subject.callee, frame):
            if isinstance(callee, Library) and callee.name in program.knowledge.drains:
                return
            if isinstance(callee, Library) and program.knowledge.iterates.get(callee.name) in _HANDED_ON:
                for given in subject.args if program.knowledge.iterates[callee.name] == "zipped" else subject.args[:1]:
                    yield from iterated(program, given, frame, depth + 1)
                return
    bound = frame.given(subject) if isinstance(subject, Param) and depth < _WRAPPED else None
    if isinstance(bound, Bound):
        yield from iterated(program, bound.term, bound.frame, depth + 1)
        return
    if isinstance(subject, Attr) and _keeps_items(program, subject, frame):
        return
    values = program.values(subject, frame)
    if key_of(subject) is not None and all(isinstance(value, Other) for value in values):
        values = program.ask(Keyed).under(subject, frame.module)
    for value in values:
        if isinstance(value, Instance):
            yield value
        elif isinstance(value, Made) and depth < _WRAPPED and program.knowledge.kinds.get(value.name) == "loader":
            yield from _drawn(program, value, depth)


def _keeps_items(program: Program, attribute: Attr, frame: Frame) -> bool:
    """Whether an attribute holds what was drawn from something, once and for all (``self.items = list(source)``)."""
    for owner in program.values(attribute.base, frame):
        if isinstance(owner, Instance):
            for module, function, value in program.stores(ClassValue(owner.module, owner.cls), attribute.name):
                callees = program.values(value.callee, program.frame(module, function)) if isinstance(value, Call) else ()
                if any(isinstance(callee, Library) and callee.name in program.knowledge.drains for callee in callees):
                    return True
    return False


def _drawn(program: Program, loader: Made, depth: int) -> Iterator[Instance]:
    """The sampler of a loader."""
    if loader.call is None or loader.frame is None:
        return
    signature = program.knowledge.signatures.get(loader.name, [])
    for name in _DRAWS:
        given = next((value for key, value in loader.call.kwargs if key == name), None)
        if given is None and name in signature and len(loader.call.args) > signature.index(name):
            given = loader.call.args[signature.index(name)]
        if given is not None and not isinstance(given, Const):
            yield from iterated(program, given, loader.frame, depth + 1)
