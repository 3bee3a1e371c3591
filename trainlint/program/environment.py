"""What a run is given from outside: options of the command line, and variables that a program sets for its own process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from trainlint.finding import Spot
from trainlint.ir.control_dependence import Led, walk_tested
from trainlint.ir.nodes import Attr, Call, Const, Dict, Display, Ref, Subscript, Term, Unknown
from trainlint.ir.sketch import CallStep, Function, Keep
from trainlint.ir.terms import dotted_name, parts_of, parts_through
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.consteval import constant
from trainlint.program.contexts import own_then_called
from trainlint.program.def_use import Uses, made_in
from trainlint.program.program import Program
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Argument, Context, Library, LibraryObject, Unresolved

_ADDS, _EXCLUDES = "add_argument", "add_mutually_exclusive_group"


def defaults_of(program: Program, name: str, module: str) -> set[object]:
    """The defaults of the options of this name in the files that belong together with a file; None for what is no constant."""
    return {None if given is None else _constant(given.term) for given in declared(program, name, module)}


def declared(program: Program, name: str, module: str) -> list[Argument | None]:
    """What is written as the default of each option of this name, in the files that belong together with a file."""
    return [given for where, given in program.ask(_declared).get(name, ()) if program.together(where, module)]


def _declared(program: Program) -> dict[str, list[tuple[str, Argument | None]]]:
    """By the names of options: the files in which they are declared, each with the default."""
    found: dict[str, list[tuple[str, Argument | None]]] = {}
    for site in program.ask(CallGraph).sites.get(_ADDS, ()):
        given = dict(site.call.term.kwargs)
        term = given.get("default")
        default = None if term is None else Argument(term, program.frame(site.module, site.function))
        for name in _names(site.call.term.args, given.get("dest")):
            found.setdefault(name, []).append((site.module, default))
    return found


def _names(words: Iterable[Term], destination: Term | None) -> set[str]:
    """The names that an option has once it is parsed."""
    if destination is not None and isinstance(destination, Const):
        return {str(destination.value)}
    return {
        str(each.value).lstrip("-").replace("-", "_") for each in words if isinstance(each, Const) and type(each.value) is str
    }


def _constant(term: Term) -> object:
    return term.value if isinstance(term, Const) else None


class Unread(NamedTuple):
    """An option that nobody reads: where it is declared, how it is spelled, and where the options are parsed."""

    module: str
    declared: CallStep
    spelled: str
    parsed: tuple[str, Spot]


def unread(program: Program) -> Iterator[Unread]:
    """The options of parsers whose result is read by the names of options only, and never by theirs."""
    index, words = program.ask(CallGraph), program.knowledge.tables["options"]
    for site in (site for name in words["parses"] for site in index.sites_named(name.rpartition(".")[2])):
        parser = _parsers(program, site)
        if not parser or tests_software(program, site.module, site.function):
            continue
        use = program.ask(Uses).of(site.module, site.function, site.call)
        if use.escapes or len(use.methods) < _SEVERAL or not use.methods.isdisjoint(words["whole"]):
            continue
        if _is_handed_whole(program, site.call.term, (*use.given, *words["turns"])):
            continue
        for option in index.sites.get(_ADDS, ()):
            names = _names(option.call.term.args, dict(option.call.term.kwargs).get("dest"))
            if names and use.methods.isdisjoint(names) and _belongs(program, option, parser) and not _excludes(program, option):
                spelled = _spelled(program, option, names)
                if spelled is not None:
                    yield Unread(option.module, option.call, spelled, (site.module, site.call.term.site))


def _is_handed_whole(program: Program, made: Call, given: Iterable[str]) -> bool:
    """Whether one of these functions is given an object itself, not only what it has, and does more than to log it."""
    words = program.knowledge.tables["options"]
    others = {name for name in given if not _logs(program, name)}
    for name in others:
        for site in program.ask(CallGraph).sites_named(name.removesuffix("()").rpartition(".")[2]):
            given_here = (*site.call.term.args, *(value for _, value in site.call.term.kwargs))
            handed = [part for each in given_here for part in parts_through(each, _items)]
            values = (v for frame in own_then_called(program, site) for each in handed for v in program.values(each, frame))
            if any(isinstance(value, LibraryObject) and value.call is made for value in values):
                parents = program.ask(Uses).parents(site.module).of.get(site.call.term, ()) if name in words["turns"] else ()
                takers = [each for each, _ in parents if not isinstance(each, CallStep)]
                if not takers or not all(isinstance(each, Call) and _logs(program, _name(each)) for each in takers):
                    return True
    return False


def _items(term: Term) -> tuple[Term, ...]:
    """What is in a container that is written down: ``args=(options,)``."""
    return term.values if isinstance(term, Display) else ()


def _logs(program: Program, name: str) -> bool:
    """Whether a function, by its dotted name, only logs or prints what it is given."""
    words = program.knowledge.tables["options"]
    return program.knowledge.canonical(name).startswith(tuple(words["logs"])) or name.rpartition(".")[2] in words["logging"]


def _name(call: Call) -> str:
    return dotted_name(call.callee) or f"{last_name(call.callee)}()"


def _parsers(program: Program, site: CallSite) -> set[Call | None]:
    """The calls that made the parser which a call has parse the options."""
    callee, words = site.call.term.callee, program.knowledge.tables["options"]
    found: set[Call | None] = set()
    for frame in own_then_called(program, site) if isinstance(callee, Attr) else ():
        if any(isinstance(v, Library) and v.name in words["parses"] for v in program.values(callee, frame)):
            assert isinstance(callee, Attr)
            found.update(v.call for v in program.values(callee.base, frame) if isinstance(v, LibraryObject))
    return found


#: So many options are read, at least, where it is to be seen that they are read by their names.
_SEVERAL = 2


def _belongs(program: Program, option: CallSite, parser: set[Call | None]) -> bool:
    """Whether an option is one of a parser, or of a group of its options."""
    return any(_is_of(program, option.call.term.callee, frame, parser) for frame in own_then_called(program, option))


def _is_of(program: Program, term: Term, frame: Context, parser: set[Call | None]) -> bool:
    """Whether what a method is called on is one of some parsers, or was made by a method of one."""
    while isinstance(term, Attr):
        made = [value for value in program.values(term.base, frame) if isinstance(value, LibraryObject)]
        if len(made) != 1 or made[0].call is None or made[0].frame is None:
            return False
        if made[0].call in parser:
            return True
        term, frame = made[0].call.callee, made[0].frame
    return False


def _excludes(program: Program, option: CallSite) -> bool:
    """Whether an option is one of a group of which one may be given: it says that none of the others is meant."""
    method = option.call.term.callee
    if not isinstance(method, Attr):
        return False
    groups = (value for frame in own_then_called(program, option) for value in program.values(method.base, frame))
    return any(
        isinstance(group, LibraryObject) and group.call is not None and last_name(group.call.callee) == _EXCLUDES
        for group in groups
    )


def _spelled(program: Program, option: CallSite, names: set[str]) -> str | None:
    """How an option is spelled, if it is one that has an effect only where it is read, and its name stands nowhere else."""
    call, words = option.call.term, program.knowledge.tables["options"]
    texts = [each.value for each in call.args if isinstance(each, Const) and isinstance(each.value, str)]
    long = next((each for each in texts if each.startswith("--")), None)
    said = {name: value.value for name, value in call.kwargs if isinstance(value, Const)}
    if long is None or said.get("action") in words["acts"] or not names.isdisjoint(program.knowledge.conventions):
        return None
    if any(word in str(said.get("help", "")).lower() for word in words["known"]):
        return None
    near = [path for path in program.modules if program.together(path, option.module)]
    read = any(
        not names.isdisjoint(program.ask_of(_inside_values, path)) or _names_it(program, path, names, call) for path in near
    )
    return None if read else long


def _names_it(program: Program, path: str, names: set[str], declared: Call) -> bool:
    """Whether the name of an option stands in a file in a text, or is an attribute of options or of what nobody knows."""
    parses = program.knowledge.tables["options"]["parses"]
    for term, places in program.ask(Uses).parents(path).of.items():
        if isinstance(term, Const) and term.value in names and any(place is not declared for place, _ in places):
            return True
        if isinstance(term, Attr) and term.name in names:
            values = [v for _, function in places for v in program.values(term.base, program.frame(path, function))]
            if not values or any(isinstance(v, Unresolved) or getattr(v, "name", "") in parses for v in values):
                return True
    return False


def _inside_values(program: Program, path: str) -> frozenset[str]:
    """The attributes that f-strings, comprehensions and the like read in a file, and what its names are, whosever they are."""
    module = program.modules[path]
    values = (each for function in module.functions.values() for each in made_in(function, Unknown))
    terms = (*(part for each in values for part in each.made_of()), *module.names.values())
    return frozenset(part.name for part in parts_of(*terms) if isinstance(part, Attr))


class Write(NamedTuple):
    """A statement that sets a variable; ``led`` are the tests that lead to it, ``by_call`` says that it is no assignment.

    ``optional``: what stands in the environment already is left as it is. ``alone``: the statement sets nothing else.
    """

    module: str
    function: Function
    name: str
    value: Term
    spot: Spot
    led: Led
    by_call: bool
    optional: bool
    alone: bool = True


def writes(program: Program) -> tuple[Write, ...]:
    """All such statements of a program."""
    return tuple(write for path, function in program.functions() for write in _writes(program, path, function))


def _writes(program: Program, path: str, function: Function) -> Iterator[Write]:
    frame = program.frame(path, function)
    for node, led in walk_tested(function.body) if _may(program, function) else ():
        if isinstance(node, Keep) and node.kind == "Assign":
            target = node.target
            sets = isinstance(target, Subscript) and _is_environment(program, target.base)
            name = _text(program, target.key, frame) if isinstance(target, Subscript) and sets else None
            if name is not None:
                value = constant(program, node.value, frame) or node.value
                yield Write(path, function, name, value, node.spot, led, by_call=False, optional=False)
        elif isinstance(node, CallStep):
            found = [
                (name, constant(program, each, frame) or each, more) for name, each, more in _set_by(program, node.term, frame)
            ]
            alone = len(found) == 1 and node.statement == node.term.site
            for name, value, optional in found:
                yield Write(path, function, name, value, node.statement, led, by_call=True, optional=optional, alone=alone)


def _may(program: Program, function: Function) -> bool:
    """Whether a function names the environment at all: most do not, and are not gone through."""
    keeps = any(
        isinstance(node.target, Subscript) and isinstance(node.target.base, (Ref, Attr)) for node in of_kind(function, Keep)
    )
    return keeps or any(
        isinstance(node.term.callee, (Ref, Attr)) and _dotted(program, node.term.callee) for node in of_kind(function, CallStep)
    )


def _is_environment(program: Program, term: Term) -> bool:
    words = program.knowledge.tables["variables"]["environment"]
    return isinstance(term, Ref) and program.knowledge.canonical(term.name) in words


def _dotted(program: Program, callee: Term) -> str | None:
    """The dotted name of a callee that may set a variable."""
    words = program.knowledge.tables["variables"]
    name = dotted_name(callee)
    return name if name in words["sets"] or name in words["updates"] else None


def _set_by(program: Program, call: Call, frame: Context) -> Iterator[tuple[str, Term, bool]]:
    name = _dotted(program, call.callee)
    if name is None:
        return
    words = program.knowledge.tables["variables"]
    if name in words["sets"]:
        text = _text(program, call.args[0], frame) if len(call.args) > 1 else None
        if text is not None:
            yield text, call.args[1], name == words["sets"][0]
        return
    for key, value in call.kwargs:
        if key is not None:
            yield key, value, False
    for given in call.args[:1]:
        for item, value in given.items if isinstance(given, Dict) else ():
            text = _text(program, item, frame) if item is not None else None
            if text is not None:
                yield text, value, False


def _text(program: Program, term: Term, frame: Context) -> str | None:
    said = constant(program, term, frame)
    return said.value if said is not None and isinstance(said.value, str) else None
