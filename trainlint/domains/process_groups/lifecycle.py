"""The process group from start to end: the calls that start it, what leads there, and who never ends it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Compare, Const, ItemDisplay, Param, Self, Term
from trainlint.ir.order import before
from trainlint.ir.sketch import CallStep, Function, If
from trainlint.ir.terms import is_none, parts_of
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallGraph, CallSite
from trainlint.program.environment import defaults_of
from trainlint.program.indirect_calls import Spawned
from trainlint.program.leading import Leading
from trainlint.program.naming import reference
from trainlint.program.program import Program
from trainlint.program.software_tests import tests_software
from trainlint.program.values import ClassValue, Context, Instance, Library, LibraryObject, Unresolved, Value

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


def _names(program: Program, call: Call, frame: Context) -> Iterator[str]:
    """The names of libraries that a callee stands for, also of a module that was imported by its name."""
    for target in program.ask(CallGraph).targets(call, frame):
        if isinstance(target, Library):
            yield target.name
    callee = call.callee
    if isinstance(callee, Attr):
        for base in program.values(callee.base, frame):
            if (
                isinstance(base, LibraryObject)
                and base.name in program.knowledge.tables["groups"]["imports"]
                and base.call
                and base.frame
            ):
                for name in base.call.args[:1]:
                    for module in _texts(program, name, frame if isinstance(name, Attr) else base.frame):
                        yield program.knowledge.canonical(f"{module}.{callee.name}")


def _texts(program: Program, term: Term, frame: Context) -> Iterator[str]:
    """The texts that a term may be; of an attribute of the object at hand, what the object's own class says."""
    owner = frame.owner()
    if isinstance(term, Attr) and isinstance(term.base, Self) and isinstance(owner, Instance):
        found = program.class_attribute(ClassValue(owner.module, owner.cls), term.name)
        term, frame = (found[1], found[0]) if found is not None else (term, frame)
    for value in program.values(term, frame):
        if isinstance(value, Unresolved) and isinstance(value.term, Const) and isinstance(value.term.value, str):
            yield value.term.value


def _backends(program: Program, start: Start, frame: Context) -> frozenset[str] | None:
    words = program.knowledge.tables["groups"]
    given = start.given(program, program.knowledge.tables["groups.starts"][start.name])
    if given is None or is_none(given):
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
    elif isinstance(value, Unresolved):
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


class Starting:
    """Which functions lead to a start of the group, and which run in its processes."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._starts: dict[int, Start] = {}
        for start in program.ask(starts):
            if not tests_software(program, start.site.module, start.function):
                self._starts.setdefault(id(start.function), start)
        self._leads = program.ask(Leading).to(*(start.function for start in self._starts.values()))

    def to(self, function: Function) -> tuple[Start, CallSite] | None:
        """The start to which a function leads, and the call in the function that does."""
        lead = self._leads.get(id(function))
        if lead is None:
            return None
        start = self._starts[id(lead.to)]
        return start, start.site if lead.function is lead.to else lead.sites[0]

    def above(self, function: Function) -> Start | None:
        """The start to which a function leads that leads to this one: it runs in the processes of that group."""
        if not self._starts:
            return None
        above = self.program.ask(Leading).to(function, loosely=True)
        return next((self._starts[id(self._leads[each].to)] for each in above if each in self._leads), None)


class Leaked(NamedTuple):
    """A start without an end. ``entry`` is the statement of the program behind which it could be ended, ``code`` how."""

    start: Start
    entry: Spot | None
    code: str | None


def leaked(program: Program) -> Iterator[Leaked]:
    """Each start of a program that nobody ends, once for each file."""
    seen: set[str] = set()
    ends = program.knowledge.tables["ends"]["names"]
    words = program.knowledge.tables["groups"]
    ending = [site for name in ends for site in program.ask(CallGraph).sites_named(name.rpartition(".")[2])]
    for start in program.ask(starts):
        module = start.site.module
        if module in seen or tests_software(program, module, start.function) or start.name not in words["to_be_ended"]:
            continue
        if any(program.together(site.module, module) for site in ending) or _hands_over(program, module):
            continue
        entry = program.ask(Starting).to(program.modules[module].functions["<module>"])
        apart = _is_started(program, start)
        if entry is None and not apart:
            continue
        seen.add(module)
        yield Leaked(start, *_end(program, module, entry[1] if entry is not None and not apart else None, ends[0]))


def _hands_over(program: Program, module: str) -> bool:
    """Whether a framework is around, which ends the group itself."""
    return not program.packages(module).isdisjoint(program.knowledge.tables["groups"]["end_themselves"])


def _is_started(program: Program, start: Start) -> bool:
    """Whether the program starts processes in which the start runs: its own end is not theirs."""
    known = program.ask(Spawned)
    callers = program.ask(CallGraph).callers(start.function)
    above = [site for each in callers for site in (each, *program.ask(CallGraph).callers(each.function))]
    return known.is_started(start.function) or any(known.is_started(site.function) for site in above)


def _end(program: Program, module: str, entry: CallSite | None, name: str) -> tuple[Spot | None, str | None]:
    """Behind which statement of the file the group could be ended, and how that is written there."""
    sketch = program.modules[module]
    asks = program.knowledge.tables["groups"]["is_started"][0]
    end, asked = reference(name, sketch), reference(asks, sketch)
    if entry is None or end is None or asked is None or entry.function.name != "<module>":
        return None, None
    behind = any(before(entry.function, entry.call, call) for call in of_kind(entry.function, CallStep))
    direct = any(node is entry.call for node in entry.function.body)
    whole = entry.call.statement == entry.call.term.site
    return (entry.call.statement, f"if {asked}():\n    {end}()") if direct and whole and not behind else (None, None)
