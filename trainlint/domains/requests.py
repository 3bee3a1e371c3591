"""Requests to communicate that return at once, and the tensors that are used although nobody has waited.

From a request on its function is read forwards: to the first place that looks at the request, that waits for whatever is under
way, or that uses the tensor. Only the last is a mistake. Where the function ends first, its callers are read on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final, Literal, NamedTuple

from trainlint.finding import Spot
from trainlint.flow.objects import Things
from trainlint.ir.bindings import bindings, ever_held
from trainlint.ir.control_dependence import meet, walk_tested
from trainlint.ir.nodes import (
    Attr,
    Call,
    Compare,
    Comprehension,
    Const,
    Dict,
    Element,
    List,
    LoopPhi,
    Param,
    SequenceDisplay,
    Slice,
    Subscript,
    Term,
    Unknown,
)
from trainlint.ir.order import within
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import CallStep, Exit, Function, Keep, Statement, Store, With
from trainlint.ir.terms import is_none, parts_of
from trainlint.ir.walk import of_kind, roots, step_spot
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.def_use import is_lost
from trainlint.program.inlining import Inlined, calls_named
from trainlint.program.loops import Loops
from trainlint.program.program import Program
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Argument, FunctionValue, Library

_DATA, _GRADIENT, _STEP, _APPEND = "data", "grad", "step", "append"


class Unwaited(NamedTuple):
    """A request by the library's function ``name``, and where its tensor ``tensor`` is used before anybody waits.

    ``kept``: the request has a name, by which it can be waited for. ``sent``: what is sent is changed, nothing is received.
    """

    site: CallSite
    name: str
    tensor: str
    where: tuple[str, Spot]
    kept: bool
    sent: bool


class _Request(NamedTuple):
    """A request, and what must be left alone while it is under way; ``gradient``: what an optimizer will read."""

    site: CallSite
    name: str
    tensors: tuple[Term, ...]
    sent: bool

    @property
    def gradient(self) -> bool:
        return not self.sent and any(isinstance(each, Attr) and each.name == _GRADIENT for each in self.tensors)


class _Found(NamedTuple):
    path: str
    spot: Spot


#: Nobody has waited, and nothing was used, when a function ends.
_ENDS: Final = "ends"


def unwaited(program: Program) -> Iterator[Unwaited]:
    """Each request whose tensor is used while it may be under way."""
    reader = _Reader(program)
    seen: set[tuple[str, Spot]] = set()
    for whole, request in _requests(program):
        site, place = request.site, request.site.call.term.site
        written = CallSite(whole.path(place), whole.home(place), site.call)
        if (written.module, place) in seen:
            continue
        found = reader.first_use(request)
        if found is not None:
            seen.add((written.module, place))
            names = [name for name in (name_in(each, site.function) for each in request.tensors) if name is not None]
            kept = site.call.statement != place
            name = names[0] if names and whole.owns(place) else ""
            used = (whole.path(found.spot) if found.path == whole.module else found.path, found.spot)
            yield Unwaited(written, request.name.rpartition(".")[2], name, used, kept, request.sent)


# -- requests ----------------------------------------------------------------------------------------------------------


def _requests(program: Program) -> Iterator[tuple[Inlined, _Request]]:
    tables = program.knowledge.tables
    given, options = tables["requests"], frozenset(tables["requests.asked"]["names"])
    for whole, node in calls_named(program, given):
        function, call = whole.function, node.term
        values = program.values(call.callee, whole.frame)
        name = values[0].name if len(values) == 1 and isinstance(values[0], Library) else ""
        word, site = name.rpartition(".")[2], CallSite(whole.module, function, node)
        if name not in given or function.kind == "lambda" or tests_software(program, whole.module, function):
            continue
        if word not in tables["requests.always"]["names"] and not _asks(call, options):
            continue
        held = (part for term in ever_held(function) for part in parts_of(term))
        if is_lost(function, node) and not any(_is_kept(part, call, ()) for part in held):
            continue
        if _is_managed(program, site, tables["requests.managers"]["names"]):
            continue
        tensors = tuple(map(_whole, _given(call, str(given[name]))))
        if tensors:
            yield whole, _Request(site, name, tensors, word in tables["requests.sends"]["names"])


def _asks(call: Call, options: frozenset[str]) -> bool:
    return any(name in options and isinstance(value, Const) and value.value is True for name, value in call.kwargs)


def _given(call: Call, said: str) -> list[Term]:
    """What is given for the parameter ``said`` (its position and its name), and the items if that is a list."""
    position, _, name = said.partition(" ")
    given = next((value for keyword, value in call.kwargs if keyword == name), None)
    if given is None and len(call.args) > int(position):
        given = call.args[int(position)]
    if given is None:
        return []
    return [given, *given.subterms()] if isinstance(given, SequenceDisplay) else [given]


def _whole(term: Term) -> Term:
    """The tensor of which a term is a slice, or the data."""
    while (isinstance(term, Attr) and term.name == _DATA) or (
        isinstance(term, Subscript) and isinstance(term.key, (Slice, Unknown))
    ):
        term = term.base
    return term


def _is_managed(program: Program, site: CallSite, words: Collection[str]) -> bool:
    """Whether a call stands in a ``with`` that says when its work is done: a stream, or what joins several requests.

    One of the project waits, or makes somebody wait, in its own code.
    """
    frame, waits = program.frame(site.module, site.function), frozenset(program.knowledge.tables["requests.waits"]["names"])
    for node in of_kind(site.function, With):
        for item in node.items if within(site.function, node, site.call.term) else ():
            own = (
                [each for each in program.ask(CallGraph).targets(item, frame) if isinstance(each, FunctionValue)]
                if isinstance(item, Call)
                else ()
            )
            if any(program.ask(Loops).function_says(each.module, each.function, waits) for each in own):
                return True
            if not own and any(word in (last_name(item) or "").lower() for word in words):
                return True
    return False


# -- what follows ------------------------------------------------------------------------------------------------------


class _Reader:
    """Reads functions from a call on."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        tables = program.knowledge.tables
        self.asks = frozenset(tables["requests.looks"]["names"])
        self.waiting = frozenset(tables["requests.waits"]["names"])
        self.always = frozenset(tables["requests.always"]["names"])
        self.options = frozenset(tables["requests.asked"]["names"])

    def first_use(self, request: _Request) -> _Found | None:
        """Where a tensor is used before anybody waits, also in all who call a function that ends first; None if not in each."""
        pending, seen = [(request.site, request.tensors)], set[int]()
        first: _Found | None = None
        attributes = set[str]()
        while pending:
            site, tensors = pending.pop()
            function = site.function
            found = self._behind(site, request, tensors, attributes)
            if found == _ENDS and not function.generator and id(function) not in seen:
                seen.add(id(function))
                above = [each for each in self.program.ask(CallGraph).callers(function) if each.function is not function]
                pending += [(each, tuple(map(_whole, self._passed(each, function, tensors)))) for each in reversed(above)]
                if above:
                    continue
            if not isinstance(found, _Found):
                return None
            first = first or found
        return first

    def _behind(
        self, site: CallSite, request: _Request, tensors: tuple[Term, ...], attributes: set[str]
    ) -> _Found | Literal["ends"] | None:
        """What comes first behind a call: a use of one of the tensors, the end of the function, or something else (None).

        ``attributes`` are those in which objects keep the request.
        """
        path, function, call = site.module, site.function, site.call
        handles = _names_of(function, call)
        order = list(walk_tested(function.body))
        start = next((number for number, (node, _) in enumerate(order) if node is call), None)
        if start is None:
            return None
        led = order[start][1]
        for node, where in order[start + 1 :]:
            if not meet(where, led):
                continue
            terms = list(roots(node))
            held = _kept_in(node, call.term)
            if held is not None:
                handles.append(held)
                if isinstance(held, Attr):
                    attributes.add(held.name)
                continue
            if isinstance(node, Exit) and node.kind == "return" and node.value in (call.term, *handles):
                break  # the caller has it
            parts = (part for term in terms for part in parts_of(term))
            looks = (part in handles or _is_kept(part, call.term, attributes) for part in parts)
            if any(looks) and not _adds_to(node, handles):
                return None
            if isinstance(node, With):
                if any(self._is_wait(item) for item in node.items):
                    return None
                continue
            if self._uses(node, request, tensors, call.term):
                return None if self._waits_inside(node, path, function) else _Found(path, step_spot(node))
            if isinstance(node, CallStep) and (self._is_wait(node.term) or self._waits_inside(node, path, function)):
                return None
        return _ENDS

    def _passed(self, site: CallSite, function: Function, tensors: tuple[Term, ...]) -> Iterator[Term]:
        frame = self.program.frame(site.module, site.function)
        for target in self.program.ask(CallGraph).targets(site.call.term, frame):
            if isinstance(target, FunctionValue) and target.function is function:
                inner = self.program.enter(target, site.call.term, frame)
                for tensor in tensors:
                    bound = inner.given(tensor) if isinstance(tensor, Param) else None
                    if isinstance(bound, Argument) and bound.frame is frame:
                        yield bound.term

    # -- one statement -------------------------------------------------------------------------------------------------

    def _uses(self, node: Statement, request: _Request, tensors: tuple[Term, ...], own: Term) -> bool:
        if request.gradient and isinstance(node, CallStep) and self._is_step(node.term, request):
            return True
        if isinstance(node, CallStep) and self._requests(node.term):
            return False
        if request.sent:
            return any(_changes(node, tensor) for tensor in tensors)
        if isinstance(node, (Store, Keep)):
            plain = isinstance(node, Store) and node.value in tensors
            return not plain and any(self._mentions(node.value, tensor, own) for tensor in tensors)
        if (
            isinstance(node, CallStep)
            and last_name(node.term.callee) in self.knowledge.gathers
            and any(given in tensors for given in node.term.args)
        ):
            return False
        return any(self._mentions(term, tensor, own) for term in roots(node) for tensor in tensors)

    def _is_step(self, call: Call, request: _Request) -> bool:
        """Whether an optimizer applies the gradients."""
        callee, site = call.callee, request.site
        if not isinstance(callee, Attr) or callee.name != _STEP:
            return False
        return self.program.ask(Things).of(callee.base, self.program.frame(site.module, site.function)).kind == "optimizer"

    def _mentions(self, term: Term, tensor: Term, own: Term) -> bool:
        """Whether a term has a tensor in it, and not only its shape, a view of it, or the request for it."""
        pending, seen, said = [term], set[Term](), _said(tensor)
        while pending:
            part = pending.pop()
            if part is tensor or (said is not tensor and _said(part) == said):
                return True
            if part is own or part in seen or (isinstance(part, Attr) and part.name in self.asks) or _asks_for_none(part):
                continue
            if isinstance(part, Call) and (last_name(part.callee) in self.asks or self._requests(part)):
                continue
            seen.add(part)
            pending += part.made_of() if isinstance(part, Comprehension) else part.subterms()
        return False

    def _requests(self, call: Call) -> bool:
        """Whether a call is another request, of whatever function: the backends run them in turn."""
        return last_name(call.callee) in self.always or _asks(call, self.options)

    def _is_wait(self, call: Term) -> bool:
        """Whether a call is one of those that wait for what is under way."""
        return (last_name(call.callee) if isinstance(call, Call) else last_name(call)) in self.waiting

    def _waits_inside(self, node: Statement, path: str, function: Function) -> bool:
        """Whether a call is a collective that all wait in, or runs something that waits."""
        if not isinstance(node, CallStep):
            return False
        frame = self.program.frame(path, function)
        for target in self.program.ask(CallGraph).targets(node.term, frame):
            if isinstance(target, Library):
                if target.name in self.knowledge.collectives and not _asks(node.term, self.options):
                    return True
            elif self.program.ask(Loops).function_says(target.module, target.function, self.waiting):
                return True
        return False


def _names_of(function: Function, call: CallStep) -> list[Term]:
    """The request itself, and what a loop carries of it under the names that it has."""
    names = {name for name, held in bindings(function) if call.term in parts_of(held)}
    carried = {name for name, phi in function.phis.items() if any(call.term in parts_of(end) for end in phi.looped)}
    every = (term for node in of_kind(function, CallStep) for term in parts_of(node.term) if isinstance(term, LoopPhi))
    return [call.term, *(term for term in every if term in carried or term.name in names)]


def _kept_in(node: Statement, handle: Term) -> Term | None:
    """The list or dict that a request is put into: one of this function, or one that an object keeps."""
    if isinstance(node, Keep) and isinstance(node.target, Subscript) and node.value is handle:
        return node.target.base if isinstance(node.target.base, (Dict, Attr)) else None
    if isinstance(node, CallStep) and isinstance(node.term.callee, Attr) and node.term.args == (handle,):
        container = node.term.callee.base if node.term.callee.name == _APPEND else None
        return container if isinstance(container, (List, Attr)) else None
    return None


def _is_kept(term: Term, handle: Term, attributes: Collection[str]) -> bool:
    """Whether a term is where requests are: what a comprehension makes of them, or an attribute of an object."""
    return term.item is handle if isinstance(term, Comprehension) else isinstance(term, Attr) and term.name in attributes


def _asks_for_none(term: Term) -> bool:
    return isinstance(term, Compare) and is_none(term.right)


def _said(term: Term) -> object:
    """What a tensor that a loop binds says, in whichever loop over the same; any other is itself."""
    if isinstance(term, Element):
        return "each", _written(term.of)
    if isinstance(term, (Attr, Subscript)):
        said = _said(term.base)
        return term if said is term.base else (said, term.parts[1:])
    return term


def _written(term: Term) -> object:
    """What a term says, wherever its calls stand."""
    if isinstance(term, Call):
        return _written(term.callee), tuple(map(_written, term.args)), term.kwargs
    return (_written(term.base), term.name) if isinstance(term, Attr) else term


def _adds_to(node: Statement, handles: list[Term]) -> bool:
    """Whether a statement puts something else into the list of requests."""
    return (
        isinstance(node, CallStep)
        and isinstance(node.term.callee, Attr)
        and node.term.callee.name == _APPEND
        and node.term.callee.base in handles[1:]
    )


def _changes(node: Statement, tensor: Term) -> bool:
    """Whether a statement writes into a tensor: a method whose name ends so, or an item that is set."""
    if isinstance(node, CallStep) and isinstance(node.term.callee, Attr):
        name = node.term.callee.name
        return node.term.callee.base is tensor and name.endswith("_") and not name.startswith("_")
    return isinstance(node, Keep) and isinstance(node.target, Subscript) and node.target.base is tensor
