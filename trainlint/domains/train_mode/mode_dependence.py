"""Mode dependence: models that compute something else in training, and functional dropout that ignores the mode.

Does it matter in which mode a model runs? Dropout and batch norm compute something else when they train.

Functions that drop in training by themselves, called by a module that does not tell them whether it trains.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.constructor_arguments import Options
from trainlint.domains.expressions import terms_of
from trainlint.domains.nn.modules import of_module
from trainlint.ir.control_dependence import Led, conditions, jointly, raising_arms, walk_tested, without_errors
from trainlint.ir.nodes import Attr, Call, Const, Dict, Kwargs, LoopPhi, Param, Self, SequenceDisplay, Term, Unknown
from trainlint.ir.sketch import CallStep, Function, If
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.contexts import own_then_called
from trainlint.program.memo import remembered
from trainlint.program.object_identity import Identities, Key
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.sources import handed_over, innermost
from trainlint.program.values import (
    Argument,
    ClassValue,
    Context,
    FunctionValue,
    Instance,
    Library,
    LibraryObject,
    Unresolved,
    Value,
    names_class,
)

#: How the layers are called that drop a share of what they are given: their rate is their first argument, or ``p``.
_DROPS = ("dropout", "dropout1d", "dropout2d", "dropout3d")
#: Libraries whose layers are all in the tables.
_KNOWN = ("torch.", "builtins.", "math.", "typing.", "collections.", "copy.", "functools.", "itertools.", "numpy.", "logging.")


class Moded:
    """Answers for one program: yes, no, or None where a part of the model is out of sight."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index: CallGraph = program.ask(CallGraph)
        self.identities: Identities = program.ask(Identities)

    @remembered(None)
    def has(self, key: Key) -> bool | None:
        """Whether a model has layers that tell training from evaluation."""
        maker = self.identities.makers.get(key)
        if maker is not None:
            return self.of_object(maker)
        found: set[bool | None] = set()
        for keys in self.identities.passed(key):
            found |= {self.has(each) for each in keys - {key}} or {None}
        return found.pop() if len(found) == 1 else True if True in found else None

    def tells(self, name: str, call: Call | None, frame: Context) -> bool:
        """Whether a library's call makes, or is, something that tells training from evaluation."""
        moded = self.program.knowledge.moded
        if name not in moded and name.rpartition(".")[0] not in moded:
            rate = next((value for key, value in call.kwargs if key == "dropout"), None) if call is not None else None
            layer = name.startswith(self.program.knowledge.written["layers"])
            return layer and rate is not None and not self._is_zero(rate, frame)
        if call is None or not name.rpartition(".")[2].lower().endswith(_DROPS):
            return True
        at = 1 if name.startswith("torch.nn.functional.") else 0
        rates = [*call.args[at : at + 1], *(value for key, value in call.kwargs if key == "p")]
        return not any(self._is_zero(rate, frame) for rate in rates)

    def _is_zero(self, rate: Term, frame: Context) -> bool:
        """Whether so much is dropped: nothing."""
        values = self.program.values(rate, frame)
        return bool(values) and all(
            isinstance(each, Unresolved) and isinstance(each.term, Const) and not each.term.value for each in values
        )

    @remembered(None)
    def of_object(self, made: Instance | LibraryObject) -> bool | None:
        """Whether an object tells training from evaluation; None where a part of it is out of sight."""
        return _Parts(self, made).tell()


class _Parts:
    """What a model is made of: the calls of its constructor, and of what that is given, and which functions its pass calls."""

    def __init__(self, asked: Moded, made: Instance | LibraryObject) -> None:
        self.asked, self.program = asked, asked.program
        #: Whether something tells training from evaluation, and whether a part is out of sight.
        self.found = False
        self.unseen = False
        self._queue: list[Context] = []
        #: Functions of which all calls were read (so what is made there was seen), and what is asked about once they are.
        self._read: set[int] = set()
        self._filling: set[int] = set()
        self._called: dict[Instance | LibraryObject, None] = {}
        self._begun: set[Instance | LibraryObject] = set()
        self._begin(made)

    def tell(self) -> bool | None:
        """Whether the mode matters; None where nobody can say."""
        seen: set[tuple[int, Term | None]] = set()
        while (self._queue or self._called) and not self.found:
            if not self._queue:
                one, _ = self._called.popitem()
                if one.frame is None or id(one.frame.function) not in self._read:
                    self._begin(one)
                continue
            frame = self._queue.pop(0)
            if (id(frame.function), frame.call) not in seen:
                seen.add((id(frame.function), frame.call))
                self._read.add(id(frame.function))
                self.found = self.program.ask_of(_reads_mode, frame.function)
                for node in calls_of(frame.function):
                    self._call(node.term, frame)
        unseen = self.unseen or self._queue or self._called or self._filling - self._read
        return True if self.found else None if unseen else False

    def _begin(self, one: Instance | LibraryObject) -> None:
        if one in self._begun:
            return
        self._begun.add(one)
        if isinstance(one, LibraryObject):
            self._library(one)
            return
        for name in ("__init__", "forward"):
            method = self.program.method(ClassValue(one.module, one.cls), name)
            self._queue.extend([self.program.instance_frame(one, *method)] if method is not None else [])
        bases = self.program.lineage(ClassValue(one.module, one.cls))
        self.unseen = self.unseen or any(isinstance(each, Library) and not each.name.startswith(_KNOWN) for each in bases)
        self._given(one)

    def _library(self, made: LibraryObject) -> None:
        """An object of a library: a layer, or a container of what it is given; nobody can look into another one."""
        if made.frame is not None and self.asked.tells(made.name, made.call, made.frame):
            self.found = True
        elif not made.name.startswith(self.program.knowledge.written["layers"]):
            self.unseen = True
        else:
            self._given(made, whole=made.name in self.program.knowledge.tables["unused_search.holds"]["names"])

    def _given(self, one: Instance | LibraryObject, *, whole: bool = False) -> None:
        """What a constructor is given may be modules; ``whole``: it is, if it is anything."""
        if one.call is None or one.frame is None:
            return
        for term in (*one.call.args, *(value for _, value in one.call.kwargs)):
            self._value(term, one.frame, whole=whole)

    def _value(self, term: Term, frame: Context, *, whole: bool) -> None:
        for value in innermost(self.program, self.program.values(term, frame), _items):
            if isinstance(value, (Instance, LibraryObject)):
                if isinstance(value, Instance) or whole or value.name.startswith(self.program.knowledge.written["layers"]):
                    self._begin(value)
            elif whole and isinstance(value, Unresolved) and isinstance(value.term, (Unknown, LoopPhi)):
                self._filling.add(id(value.frame.function))  # what is made there is seen if that function is read
            elif whole and not (isinstance(value, Unresolved) and isinstance(value.term, Const)):
                self.unseen = True

    def _call(self, call: Call, frame: Context) -> None:
        begins = frame.function.name == "__init__"
        targets = self.asked.index.targets(call, frame)
        if not targets and begins:
            self.unseen = self.unseen or not isinstance(call.callee, Attr)
        elif not targets:
            self._runs(call.callee, frame)
        for target in targets:
            if isinstance(target, FunctionValue):
                if target.function.name == "__init__" and isinstance(target.receiver, Instance) and target.receiver.call is call:
                    self._begin(target.receiver)
                elif frame.follows(target.function):
                    self._queue.append(self.program.enter(target, call, frame))
            elif self.asked.tells(target.name, call, frame):
                self.found = True
            else:
                constructs = names_class(target.name)
                makes = constructs or (begins and not self._is_handed_one(call, frame))
                self.unseen = self.unseen or (makes and not target.name.startswith(_KNOWN))

    def _is_handed_one(self, call: Call, frame: Context) -> bool:
        """Whether a call is handed a part of the model: what it hands back is that part (see ``program/handed_back.py``)."""
        given = (value for term in call.args for value in self.program.values(term, frame))
        return any(isinstance(value, (Instance, LibraryObject)) for value in given)

    def _runs(self, callee: Term, frame: Context) -> None:
        """What a pass calls and what is no function: a module that the model holds, or something that nobody knows."""
        for value in self.program.values(callee, frame):
            if isinstance(value, (Instance, LibraryObject)):
                self._called[value] = None
            elif isinstance(value, Unresolved) and (value.term is not callee or isinstance(callee, Param)):
                self.unseen = True


def _reads_mode(program: Program, function: Function) -> bool:
    """Whether a method reads in which mode its module is: ``if self.training``. What it tells a dropout is that one's matter."""
    drops = {name.rpartition(".")[2] for name in program.knowledge.drops}
    calls = [node.term for node in calls_of(function) if last_name(node.term.callee) in drops]
    told = set(parts_of(*(given for call in calls for given in (*call.args, *(value for _, value in call.kwargs)))))
    tests = [part for node in of_kind(function, If) for part in parts_of(node.condition)]
    others = (part for term in terms_of(function) for part in parts_of(term) if part not in told)
    return any(
        isinstance(part, Attr) and part.name in program.knowledge.phases and isinstance(part.base, Self)
        for part in (*tests, *others)
    )


def _items(value: Value) -> list[Argument] | None:
    """What is in a list or a dict that is written down."""
    if isinstance(value, Unresolved) and isinstance(value.term, (SequenceDisplay, Dict)):
        return [Argument(item, value.frame) for item in value.term.values]
    return None


class Dropping(NamedTuple):
    """A call that drops whatever the mode.

    ``keyword`` and ``position`` are those of what it is not told, or of the ``rate`` that is not 0 in evaluation; ``own`` is what
    the module calls itself there; None in another function that the module runs.
    """

    site: CallSite
    keyword: str
    position: int | None
    own: str | None
    rate: Term | None = None


def always_dropping(program: Program) -> Iterator[Dropping]:
    """Each such call in a method of a module or in what that runs, with a rate that is not zero."""
    untold = list(_untold(program))
    calls = {
        id(each.site.function): [other.site.call for other in untold if other.site.function is each.site.function]
        for each in untold
    }
    for found in untold:
        site, function = found.site, found.site.function
        for frame in own_then_called(program, site):
            ways = [[(frame, way)] for way in _ways(function, site.call, calls[id(function)])]
            at: Context | None = frame
            while at is not None and not _is_of_module(program, at):
                leads = next((node for node in calls_of(at.caller.function) if node.term is at.call), None) if at.caller else None
                above = _ways(at.caller.function, leads, [leads]) if at.caller is not None and leads is not None else []
                ways = [[*way, (at.caller, led)] for way in ways for led in above if at.caller is not None]
                at = at.caller
            rates = _rates(site.call.term) if found.rate is None else [found.rate]
            handed = [each for rate in rates for each in handed_over(rate, frame)]
            told = any(_asks_mode(program, each.term) for each in handed) or (
                found.rate is not None and any(_is_asked_for(each) for each in handed)
            )
            if at is not None and not told and any(not _is_chosen(program, site, way) for way in ways):
                yield found._replace(own=function.parameters[0] if at is frame else None)
                break


def _untold(program: Program) -> Iterator[Dropping]:
    """The calls of such functions that are not told whether to drop, and drop something."""
    index, knowledge = program.ask(CallGraph), program.knowledge
    for name in sorted({dotted.rpartition(".")[2] for dotted in knowledge.drops}):
        for site in index.sites_reaching(name):
            frame = program.frame(site.module, site.function)
            target = next((each for each in index.targets(site.call.term, frame) if isinstance(each, Library)), None)
            word = knowledge.drops.get(target.name) if target is not None else None
            if target is None or word is None or target.name.rpartition(".")[2] != name:
                continue
            found = _dropping(program, site, word, target.name)
            if found is not None and not tests_software(program, site.module, site.function):
                yield found


def _dropping(program: Program, site: CallSite, word: str, library: str) -> Dropping | None:
    """The call, by what the table says of it, unless it is told whether to drop."""
    call, parameters = site.call.term, program.knowledge.signatures.get(library, [])
    how, _, rest = word.partition(" ")
    if not rest:
        position = parameters.index(how) if how in parameters else None
        return None if _is_told(program, site, how, library) else Dropping(site, how, position, None)
    keyword, _, place = rest.partition(" ")
    rate = dict(call.kwargs).get(keyword, call.args[int(place)] if len(call.args) > int(place) else None)
    drops = rate is not None and not (isinstance(rate, Const) and not rate.value)
    return Dropping(site, keyword, int(place), None, rate) if drops else None


def _is_asked_for(rate: Argument) -> bool:
    """Whether a pass is told how much to drop by somebody out of sight: who calls it knows whether it trains."""
    term, frame = rate.term, rate.frame
    return isinstance(term, Kwargs) or (isinstance(term, Param) and not isinstance(frame.given(term), Argument))


def _is_of_module(program: Program, frame: Context) -> bool:
    function = frame.function
    return function.kind == "method" and bool(function.parameters) and of_module(program, frame.module, function)


def _is_told(program: Program, site: CallSite, keyword: str, library: str) -> bool:
    """Whether the call says whether it is training, or may say so, whoever calls its function; or drops nothing."""
    call = site.call.term
    if any(isinstance(rate, Const) and not rate.value for rate in _rates(call)):
        return True
    given = (program.ask(Options).given(call, frame, keyword, library) for frame in own_then_called(program, site))
    return all(not each.known or each.term is not None for each in given)


def _rates(call: Call) -> list[Term]:
    return [*call.args[1:2], *(value for name, value in call.kwargs if name == "p")]


def _ways(function: Function, call: CallStep, alike: list[CallStep]) -> list[Led]:
    """What leads to a call, or to it and those that do the same in other arms of a test; errors on the way do not count."""
    raising = raising_arms(function.body)
    led = {id(node): without_errors(way, raising) for node, way in walk_tested(function.body)}
    own = led.get(id(call), ())
    return [way for way in jointly(led[id(each)] for each in alike if id(each) in led) if set(way) <= set(own)] or [own]


def _is_chosen(program: Program, site: CallSite, led: list[tuple[Context, Led]]) -> bool:
    """Whether a test leads there that may come out otherwise in another call of the module: one of the mode, of what it is given.

    What is fixed when the module is made, and how much is dropped, are no such tests.
    """
    outer = led[-1][0]
    rates = set(parts_of(*_rates(site.call.term)))
    pending = [Argument(test, frame) for frame, way in led for test, _ in conditions(way)]
    while pending:
        test, frame = pending.pop()
        if _asks_mode(program, test):
            return True
        for part in parts_of(test):
            given = frame.given(part) if isinstance(part, Param) and frame is not outer else None
            if isinstance(given, Argument):
                pending.append(given)
            elif part not in rates and _varies(program, part, frame):
                return True
    return False


def _asks_mode(program: Program, test: Term) -> bool:
    return any(isinstance(part, Attr) and part.name in program.knowledge.phases for part in parts_of(test))


def _varies(program: Program, part: Term, frame: Context) -> bool:
    """Whether what a test asks is given to a method of the module, or is changed by one that does not make the object."""
    function = frame.function
    if isinstance(part, Param):
        return part.function == function.qualname and function.name != "__init__"
    if isinstance(part, Attr) and isinstance(part.base, Self) and function.cls is not None:
        cls = program.modules[frame.module].classes[function.cls]
        stored = program.stores(ClassValue(frame.module, cls), part.name)
        return any(method.name != "__init__" for _, method, _ in stored)
    return False
