"""Callables that are made of others: what a call of them runs, with what they were given before.

``partial(f, a)(b)`` is ``f(a, b)``, ``attrgetter("lr")(options)`` is ``options.lr``, an object is called by its ``__call__``.
Which calls make a callable, and how it works, is in the table ``callables``.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

from trainlint.ir.nodes import NAMED, Attr, BinOp, Call, Const, Format, Param, Ref, Star, Subscript, Term, Tuple
from trainlint.ir.terms import is_closed, is_text, parts_of
from trainlint.program.values import (
    WIDEST,
    Argument,
    ClassValue,
    Context,
    FunctionValue,
    Instance,
    Library,
    LibraryObject,
    Unresolved,
    Value,
)

if TYPE_CHECKING:
    from trainlint.program.program import Program

PARTIAL = "functools.partial"
#: How a callable works that a call made (table ``callables``): it calls the first argument of that call, with the others, or as a
#: method of the object whose attribute it is; it reads attributes, items, or calls a method of what it is given.
_CALLS, _BINDS, _ATTRIBUTES, _ITEMS, _METHOD = "calls", "binds", "attributes", "items", "method"
#: It gives the first argument; what it gives is what the call that made its object was told to call.
_GIVES, _LATER = "gives", "later"
_READS = (_ATTRIBUTES, _ITEMS, _METHOD)


class Partial(NamedTuple):
    """``partial(f, a, k=b)``: the call, and the activation it stands in."""

    call: Call
    frame: Context

    @property
    def callee(self) -> Term:
        """``f``."""
        callee: Term = self.call.args[0]
        return callee

    @property
    def filled(self) -> int:
        """How many of the first parameters of ``f`` are given already."""
        return len(self.call.args) - 1

    @property
    def applied(self) -> Call:
        """The call ``f(a, k=b)``."""
        return Call.new(self.call.args[0], self.call.args[1:], self.call.kwargs, self.call.site)


def getters(program: Program) -> tuple[str, ...]:
    """What makes functions that read attributes, or call methods, by their names: ``operator.attrgetter``."""
    return tuple([name for name, word in program.knowledge.callables.items() if word in (_ATTRIBUTES, _METHOD)])


def partial_of(value: Value) -> Partial | None:
    """How a value was made by ``functools.partial``; None for any other value."""
    if not isinstance(value, LibraryObject) or value.name != PARTIAL:
        return None
    return _made_of(value)


def _made_of(value: LibraryObject) -> Partial | None:
    return Partial(value.call, value.frame) if value.call is not None and value.frame is not None and value.call.args else None


class Bound(NamedTuple):
    """What a callable calls in the end, and the calls that gave it arguments before, first to last."""

    callee: Value
    given: tuple[Argument, ...]


def bound(
    program: Program, value: Value, depth: int = 0, how: Container[str | None] = (_CALLS,), within: tuple[Call, ...] = ()
) -> Iterator[Bound]:
    """What is called when a value is, through partials of partials; a value that is no partial itself."""
    word = program.knowledge.callables.get(value.name) if isinstance(value, LibraryObject) else None
    made = _made_of(value) if word in how and isinstance(value, LibraryObject) else None
    if made is None or made.call in within:
        yield Bound(value, ())
        return
    for inner in program.values(made.callee, made.frame, depth):
        for each in bound(program, inner, depth, (_CALLS, _BINDS), (*within, made.call)):
            yield Bound(each.callee, (*each.given, Argument(made.call, made.frame)))


def run_by(program: Program, value: Value, methods: Sequence[str], depth: int = 0) -> Iterator[Bound]:
    """What a call of a value runs: a function with its receiver and what it was given, a class, or something of a library."""
    for callee, given in bound(program, value, depth):
        target = callee
        if isinstance(callee, Instance):
            found = (program.method(ClassValue(callee.module, callee.cls), name) for name in methods)
            method = next((each for each in found if each is not None), None)
            if method is None:
                continue
            target = FunctionValue(method[0], method[1], callee)
        yield Bound(target._replace(given=(*target.given, *given)) if isinstance(target, FunctionValue) else target, given)


def descriptor(program: Program, value: Value, instance: Instance, name: str) -> Iterator[Value]:
    """What an attribute of a class is as that of an object: functions become methods of it, values of fields do not."""
    lineage = program.lineage(ClassValue(instance.module, instance.cls))
    if any(isinstance(each, ClassValue) and name in each.cls.fields for each in lineage):
        yield value
        return
    for callee, given in bound(program, value, how=(_BINDS,)):
        if isinstance(callee, FunctionValue) and (given or (callee.receiver is None and callee.function.kind != "static")):
            yield callee._replace(receiver=instance, given=(*callee.given, *given))
        else:
            yield value


def on_its_own(program: Program, returned: Term, frame: Context, depth: int) -> Iterator[Value]:
    """What a function returns where too many calls lie within each other for one activation more.

    That is what it returns on its own, which is asked once for all of them, with what it is given here for its parameters.
    """
    alone = frame.alone or frame
    for value in program.values(returned, alone, depth):
        if isinstance(value, Unresolved) and isinstance(value.term, Param) and value.frame is alone:
            yield from program.values(value.term, frame, depth)
        else:
            yield value


def of_function(program: Program, callee: FunctionValue, call: Call, frame: Context, depth: int) -> list[Value]:
    """What a call of a function of the project returns; nothing where that is not followed.

    What a function makes of itself that it calls with what it was given is what it returns otherwise.
    """
    function = callee.function
    if not program.returns(function) or function.generator or (frame.runs(function) and not _begins_again(callee, frame)):
        return []
    inner = program.enter(callee, call, frame)
    found = []
    for value in program.returns(function, inner):
        near = frame.follows(function) or frame.runs(function)
        given = program.values(value, inner, depth) if near else on_its_own(program, value, inner, depth)
        found += [_declared(program, each, callee) for each in given]
    known = [each for each in found if not _hands_on(program, callee, each)]
    return known or found


def _begins_again(callee: FunctionValue, frame: Context) -> bool:
    """Whether a function calls itself, which is followed once: ``unwrap(model.module)`` gives what is in there."""
    outer = frame.caller
    return frame.function is callee.function and outer is not None and not outer.runs(frame.function)


def _hands_on(program: Program, callee: FunctionValue, value: Value) -> bool:
    """Whether a value is what a function gives that calls itself with all that it was given of which it returns something."""
    function = callee.function
    if not isinstance(value, Unresolved) or not isinstance(value.term, Call) or value.frame.function is not function:
        return False
    called = value.term.callee
    if not isinstance(called, NAMED) or called.name.rpartition(".")[2] != function.name:
        return False
    itself = [each for each in program.values(called, value.frame) if isinstance(each, FunctionValue)]
    if len(itself) != 1 or itself[0].function is not function or itself[0].receiver != value.frame.receiver:
        return False
    given = program.enter(itself[0], value.term, value.frame).arguments
    returned = parts_of(*(each for each in program.returns(function) if each is not value.term))
    asked = [each for each in returned if isinstance(each, Param) and each.function == function.qualname]
    return all(isinstance(bound := given.get(each.name), Argument) and bound.term is each for each in asked)


def _declared(program: Program, found: Value, callee: FunctionValue) -> Value:
    """What a function returns; where nobody can see what that is, the object of a library that its annotation says it is.

    Only of classes that the tables know by a receiver's name (``-> Accelerator``): others would say nothing to anybody.
    """
    annotation = callee.function.annotations.get("return") if isinstance(found, Unresolved) else None
    if annotation is not None and isinstance(annotation, (Ref, Attr)):
        for value in program.values(annotation, program.frame(callee.module, callee.function)):
            if isinstance(value, Library) and value.name in program.receiving:
                return LibraryObject(value.name, None, None)
    return found


def results(program: Program, callee: Instance | LibraryObject, call: Call, frame: Context, depth: int) -> Iterator[Value]:
    """What a call of an object gives: one of the project, or one that a library made of a function."""
    word = program.knowledge.callables.get(callee.name) if isinstance(callee, LibraryObject) else _CALLS
    known = False
    if word == _CALLS:
        for target, given in run_by(program, callee, ("__call__",), depth):
            if isinstance(target, FunctionValue):
                known = True
                yield from program.result_of(target, call, frame, depth)
            elif isinstance(target, (ClassValue, Library)):
                whole = joined(program, given, call, frame)
                if whole is not None:
                    known = True
                    yield from program.result_of(target, *whole, depth)
                elif isinstance(target, ClassValue):
                    known = True
                    yield Instance(target.module, target.cls)
    elif word == _GIVES and isinstance(callee, LibraryObject) and (held := _made_of(callee)) is not None:
        known = True
        yield from program.values(held.callee, held.frame, depth)
    else:
        read = read_by(program, callee, call, frame)
        if read is not None:
            known = True
            yield from program.values(read, frame, depth)
    if not known:
        yield Unresolved(call, frame)


def itself(program: Program, call: Call, frame: Context, depth: int) -> Iterator[Value]:
    """What a call that nobody knows gives: the object of the project whose method returns it (``Net().to(device)``)."""
    callee, returns = call.callee, program.knowledge.fluent
    found = program.values(callee.base, frame, depth) if isinstance(callee, Attr) and callee.name in returns else ()
    yield from found if found and all(isinstance(value, Instance) for value in found) else (Unresolved(call, frame),)


def joined(program: Program, given: tuple[Argument, ...], call: Call, frame: Context) -> tuple[Call, Context] | None:
    """``partial(f, a, k=b)(c, k=d)`` as the call ``f(a, c, k=d)``, and where that stands.

    None if its arguments are of several activations; what says the same in all of a file is of any.
    """
    made = [(each.term, each.frame) for each in given if isinstance(each.term, Call)]
    if not made:
        return call, frame
    where, site = frame, call.site
    for term, at in made:
        if not _may_stand(program, _given_by(term)[1:], at, frame):
            if len(made) > 1 or not _may_stand(program, _given_by(call), frame, at):
                return None
            where, site = at, term.site
    named = {name: value for term, _ in (*made, (call, frame)) for name, value in term.kwargs}
    if None in named:
        return None
    positional = tuple([argument for term, _ in made for argument in term.args[1:]] + [*call.args])
    whole = program.terms.make(Call, made[0][0].args[0], positional, tuple(named.items()), site)
    program.ask(joined_calls)[whole] = (*(term for term, _ in made), call)
    return whole, where


def joined_calls(_: Program) -> dict[Term, tuple[Call, ...]]:
    """Of what calls those are made that :func:`joined` gave so far: the partials, and the last call."""
    return {}


def _given_by(call: Call) -> list[Term]:
    return [*call.args, *(value for _, value in call.kwargs)]


def _may_stand(program: Program, terms: list[Term], at: Context, there: Context) -> bool:
    """Whether terms of one activation say the same in another."""
    if at is there:
        return True
    near = at.module == there.module
    return all(isinstance(each, Const) or (near and is_closed(each, program.closed)) for each in terms)


def read_by(program: Program, callee: Value, call: Call, frame: Context) -> Term | None:
    """What ``attrgetter``, ``itemgetter`` or ``methodcaller`` gives for an object, as it would be written there."""
    word = program.knowledge.callables.get(callee.name) if isinstance(callee, LibraryObject) else None
    if not isinstance(callee, LibraryObject) or word not in _READS:
        return None
    made, at = callee.call, callee.frame
    if made is None or at is None or not made.args or len(call.args) != 1 or call.kwargs or isinstance(call.args[0], Star):
        return None
    if not _may_stand(program, _given_by(made), at, frame):
        return None
    thing, terms = call.args[0], program.terms

    def one(wanted: Term) -> Term:
        if word == _ITEMS:
            return terms.make(Subscript, thing, wanted)
        names = str(wanted.value).split(".") if isinstance(wanted, Const) else []
        return reduce(lambda base, name: terms.make(Attr, base, name), names, thing)

    read = [one(each) for each in (made.args[:1] if word == _METHOD else made.args)]
    if word == _METHOD:
        return terms.make(Call, read[0], made.args[1:], made.kwargs, call.site)
    return read[0] if len(read) == 1 else terms.make(Tuple, tuple(read))


def of_library(program: Program, name: str, call: Call, frame: Context, depth: int) -> Iterator[Value]:
    """What a call of something of a library gives."""
    known = program.knowledge
    if name in known.transparent and call.args:
        yield from program.values(call.args[0], frame, depth)
    elif name in _REFLECTS or name in known.callables:
        yield from _reflected(program, name, call, frame, depth) or (LibraryObject(name, call, frame),)
    else:
        yield from taken(program, name, call, frame, depth) or (LibraryObject(name, call, frame),)


#: What of Python gives a thing by its name, or the class that something has.
_REFLECTS = frozenset(("builtins.getattr", "builtins.super", "builtins.type", "importlib.import_module"))


def _reflected(program: Program, name: str, call: Call, frame: Context, depth: int) -> list[Value]:
    """What is found by its name, or as the class of something; what a call was told to run later. Nothing: that is not known."""
    if name == "builtins.super":
        return [*program.parent(frame, call)]
    if name == "builtins.type" and len(call.args) == 1:
        made = program.values(call.args[0], frame, depth)
        return [each.of_class for each in made if isinstance(each, Instance)] if isinstance(made[0], Instance) else []
    if name == "builtins.getattr" and len(call.args) > 1:
        key = program.propagation.key_of(call.args[1], frame, depth)
        names = [key] if isinstance(key, str) else _names_beginning(program, call, frame, depth)
        return [each for name in names for each in program.values(program.terms.make(Attr, call.args[0], name), frame, depth)]
    if name == "importlib.import_module" and call.args:
        key = program.propagation.key_of(call.args[0], frame, depth)
        return [program.lookup(frame.module, key)] if isinstance(key, str) else []
    found: list[Value] = []
    if program.knowledge.callables.get(name) == _LATER and isinstance(call.callee, Attr):
        for value in program.values(call.callee.base, frame, depth):
            told = _made_of(value) if isinstance(value, LibraryObject) and value.name in program.knowledge.callables else None
            found += program.values(told.applied, told.frame, depth) if told else (LibraryObject(name, call, frame),)
    return found


def _names_beginning(program: Program, call: Call, frame: Context, depth: int) -> list[str]:
    """The methods of an object one of which is meant, where the end of its name is not known: ``getattr(self, "on_" + x)``."""
    name = call.args[1]
    first = name.pieces[0] if isinstance(name, Format) and name.pieces else name.sides[0] if isinstance(name, BinOp) else None
    if first is None or not is_text(first) or len(call.args) > len(("object", "name", "otherwise")):
        return []
    owners = program.values(call.args[0], frame, depth)
    classes = [program.lineage(each.of_class) for each in owners if isinstance(each, Instance)]
    methods = [name for above in classes for each in above if isinstance(each, ClassValue) for name in each.cls.methods]
    found = list(dict.fromkeys(each for each in methods if each.startswith(first.value)))
    return found if len(found) <= WIDEST and len(classes) == len(owners) else []


def taken(program: Program, name: str, call: Call, frame: Context, depth: int) -> list[Value]:
    """The item that a call takes out of a container, if it does."""
    takes = program.propagation.takes
    if name in takes or (isinstance(call.callee, Attr) and call.callee.name in takes):
        return program.propagation.taken(name, call, frame, depth)
    return []
