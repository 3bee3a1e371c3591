"""Values without gradients: numbers, detached tensors, data, outputs of frozen parts; and backward passes of such.

Values that have no graph: a number, a detached value, a tensor that was made anew.

A value has none only if nothing that it is made of can have one. So both sides of arithmetic must be known to have
none, all that a helper returns, both arms of a choice; and whatever is not known ends the question.

Parts of models whose parameters need no gradient: whoever freezes them, where they are made or in a method beside.

A part goes by the name of the attribute that holds it. Freezing that is done under a test, or to something whose
name is not in sight, freezes nothing for certain, and may freeze anything: two questions, each answered so that
doubt means silence.

Values of which nobody computes gradients, and that lead to no parameter: data, what was detached, outputs of frozen
parts.

Beside what has no graph (:mod:`trainlint.domains.autograd.gradient_free`) these are batches of a loader, tensors that
are made of nothing, what names say are masks and indices, and what a frozen part computes of such. Whatever is not
known may need a gradient.

Backward passes of what has no graph: a number, a detached value, a tensor that was made anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from trainlint.domains.grad_mode import OFF, GradMode
from trainlint.finding import Spot
from trainlint.flow.objects import Things
from trainlint.ir.bindings import carried_by
from trainlint.ir.control_dependence import walk_tested
from trainlint.ir.nodes import (
    Access,
    Attr,
    BinOp,
    Call,
    Compare,
    Const,
    Element,
    Global,
    LoopPhi,
    Not,
    Param,
    Ref,
    Select,
    SequenceDisplay,
    Subscript,
    Term,
    Unknown,
)
from trainlint.ir.order import in_block, within
from trainlint.ir.sketch import CallStep, Function, If, Store, Try, With
from trainlint.ir.terms import is_call_of, parts_of, root_of
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.contexts import contexts_at
from trainlint.program.loops import Loops
from trainlint.program.memo import forget_questions, remembered
from trainlint.program.origins import elsewhere, origins
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Argument, Context, FunctionValue, Instance, Library, LibraryObject, Unresolved

#: How a graph is begun, by an argument or by a method; and what is done with all of a tensor to make a loss of it.
_REQUIRES, _BEGINS, _WHOLE = "requires_grad", "requires_grad_", ("mean", "sum")


class Why(NamedTuple):
    """What ended the graph: a word (the call's name, or "no_grad"), and where.

    ``begins``: another graph begins there, which leads no further back (``requires_grad=True``).
    """

    word: str
    module: str
    spot: Spot
    begins: bool = False


class Graphless:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        self.mode = program.ask(GradMode)
        self._keeps_first = program.knowledge.keeps_first

    @remembered(None)
    def of(self, term: Term, frame: Context) -> Why | None:
        """Why a value has no graph; None where it may have one."""
        return self._of(term, frame)

    def _of(self, term: Term, frame: Context) -> Why | None:
        made = origins(self.program, term, frame)
        if (term, frame) not in made:
            found = [self.of(*each) for each in made]
            return found[0] if found and None not in found else None
        if isinstance(term, Call):
            return self._call(term, frame)
        if isinstance(term, BinOp):
            return self._together(term.sides, frame)
        if isinstance(term, Attr) and term.name == "data" and isinstance(term.base, (Call, BinOp)):
            spot = self._spot(term.base)
            return Why(".data", frame.module, spot) if spot is not None else None
        if isinstance(term, LoopPhi):
            total = self._total(term, frame)
            return total or self._elsewhere(term, frame)
        return self._elsewhere(term, frame) if isinstance(term, Subscript) else None

    def _elsewhere(self, term: Term, frame: Context) -> Why | None:
        """Why something has no graph that is written elsewhere: none of what it may be has one."""
        found = [self.of(part, where) for part, where in elsewhere(self.program, term, frame)]
        return found[0] if found and None not in found else None

    def _spot(self, term: Term) -> Spot | None:
        return next((part.site for part in parts_of(term) if isinstance(part, Call)), None)

    def _together(self, parts: tuple[Term, ...], frame: Context) -> Why | None:
        """Of arithmetic: at least one side has no graph, and the others have none or are numbers."""
        found = [self.of(part, frame) for part in parts]
        if any(why is not None and why.begins for why in found):
            return None  # somebody may want the gradient of that
        if any(why is None and not _is_number(part) for why, part in zip(found, parts, strict=True)):
            return None
        return next((why for why in found if why is not None), None)

    def _total(self, held: LoopPhi, frame: Context) -> Why | None:
        """A sum of such values that begins as a number."""
        carried = carried_by(frame.function, held)
        if carried is None:
            return None
        end = carried.back
        if not _is_number(carried.entry) or not isinstance(end, BinOp) or end.op not in ("Add", "Sub"):
            return None
        others = [part for part in end.sides if part is not carried.name]
        return self.of(others[0], frame) if len(others) == 1 else None

    # -- calls -----------------------------------------------------------------------------------------------------

    def _call(self, call: Call, frame: Context) -> Why | None:
        callee, name = call.callee, last_name(call.callee) or ""
        values = self.program.values(callee, frame)
        if any(isinstance(value, FunctionValue) for value in values):
            return None
        libraries = {value.name for value in values if isinstance(value, Library)}
        if not libraries and (elsewhere := self._elsewhere(call, frame)) is not None:
            return elsewhere
        if isinstance(callee, Attr) and not is_imported(callee):
            if name in self.knowledge.ends_graph and not (call.args and name == "item"):
                return Why(name, frame.module, call.site, self._begins(call, frame))
            if name in self.knowledge.keeps and all(_is_number(part) for part in call.args):
                return self._method(call, callee, frame)
            return self._unrecorded(call, frame)
        if len(libraries) == 1:
            library = libraries.pop()
            if library in self.knowledge.makes_anew and call.args and not _is_written(call.args[0]):
                return Why(library.rpartition(".")[2], frame.module, call.site, self._begins(call, frame))
            if library in self._keeps_first and call.args and not isinstance(call.args[0], (SequenceDisplay, Unknown)):
                found = self.of(call.args[0], frame)
                return None if found is None or found.begins else found._replace(begins=begins(call))
        return self._unrecorded(call, frame)

    def _begins(self, call: Call, frame: Context) -> bool:
        """Whether a call makes a tensor of which gradients are computed: it is told so, or the tensor is, once it is there."""
        return begins(call) or (frame.module, call) in self.program.ask(_told_to_begin)

    def _method(self, call: Call, method: Attr, frame: Context) -> Why | None:
        """A method of a tensor whose result has the tensor's graph."""
        name = method.name
        found = self.of(method.base, frame)
        if found is None:
            return self._unrecorded(call, frame)
        if name == _BEGINS:
            return found._replace(begins=True)
        return None if found.begins and name not in _WHOLE else found

    def _unrecorded(self, call: Call, frame: Context) -> Why | None:
        """A call in a block, or in a decorated function, in which nothing is recorded."""
        if (
            not self._is_off(frame, call.site)
            or isinstance(call.callee, Ref)
            or (last_name(call.callee) or "") in self.knowledge.keeps
        ):
            return None
        return Why("no_grad", frame.module, call.site)

    def _is_off(self, frame: Context, spot: Spot) -> bool:
        """Whether recording is certainly off: what says so is no choice, and is told nothing."""
        if self.mode.own(frame, spot) != OFF:
            return False
        function = frame.function
        said = [item for node in of_kind(function, With) if within(function, node, spot) for item in node.items]
        return any(self._turns_off(term, frame) for term in (*said, *function.decorators))

    def _turns_off(self, term: Term, frame: Context) -> bool:
        if not isinstance(term, (Call, Ref, Attr)) or (isinstance(term, Call) and (term.args or term.kwargs)):
            return False
        names = {value.name for value in self.program.values(term, frame) if isinstance(value, (Library, LibraryObject))}
        return bool(names) and all(self.knowledge.grad_modes.get(name) == "off" for name in names)


def is_imported(callee: Term) -> bool:
    """Whether what is called is a function of a module, not a method."""
    return isinstance(root_of(callee), Ref)


def begins(call: Call) -> bool:
    """Whether a call makes a tensor of which gradients are computed."""
    return any(name == _REQUIRES and not (isinstance(value, Const) and value.value is False) for name, value in call.kwargs)


def _told_to_begin(program: Program) -> frozenset[tuple[str, Term]]:
    """What makes the tensors, by file, that are told to need a gradient: ``x.requires_grad = True``, ``x.requires_grad_()``."""
    told: list[tuple[str, Function, Term, tuple[Term, ...]]] = [
        (path, function, node.target.base, (node.value,))
        for path, function in program.functions()
        for node in of_kind(function, Store)
        if isinstance(node.target, Attr) and node.target.name == _REQUIRES
    ]
    told += [
        (site.module, site.function, site.call.term.callee.base, site.call.term.args)
        for site in program.ask(CallGraph).sites.get(_BEGINS, ())
        if isinstance(site.call.term.callee, Attr)
    ]
    return frozenset(
        (made.frame.module, made.term)
        for path, function, tensor, flags in told
        if not any(isinstance(flag, Const) and flag.value is False for flag in flags)
        for made in origins(program, tensor, program.frame(path, function))
    )


def _is_written(term: Term) -> bool:
    """Whether a value is written down: a number, or a list of such."""
    if isinstance(term, SequenceDisplay) and type(term.items) is tuple:
        return all(_is_written(item) for item in term.items)
    return _is_number(term)


def _is_number(term: Term) -> bool:
    """Whether a term is a number that is written down, or the length of something."""
    if isinstance(term, Const):
        return isinstance(term.value, (int, float))
    return is_call_of(term, "builtins.len")


_WEIGHT = "weight"


class Freezing(NamedTuple):
    """A statement that says whether parameters need gradients.

    ``part`` is the attribute whose parameters they are (None: nobody can say which), ``off`` whether they need none from then on,
    ``always`` whether it is done without a test.
    """

    module: str
    part: str | None
    off: bool
    always: bool


class Frozen:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        self._attributes = program.knowledge.freezes

    def surely(self, part: Term, frame: Context) -> bool:
        """Whether the parameters of a part of a model need no gradient, whatever happens."""
        values = self.program.values(part, frame)
        if values and all(isinstance(value, LibraryObject) and self._made_frozen(value) for value in values):
            return not self._named(frame, part, off=False)
        name = _name(part)
        known = [each for each in self._all() if name is not None and each.part == name and self._near(each, frame)]
        return any(each.off and each.always for each in known) and not self._named(frame, part, off=False)

    def perhaps(self, part: Term, frame: Context) -> bool:
        """Whether somebody may freeze a part: it is named, or what is frozen goes by no name."""
        return self._named(frame, part, off=True)

    def _named(self, frame: Context, part: Term, *, off: bool) -> bool:
        name = _name(part)
        return any(each.off is off and each.part in (None, name) and self._near(each, frame) for each in self._all())

    def _near(self, freezing: Freezing, frame: Context) -> bool:
        return self.program.together(freezing.module, frame.module)

    def _made_frozen(self, value: LibraryObject) -> bool:
        """What is made with its parameters frozen: by a call that does so unless it is told otherwise (table ``made_frozen``)."""
        switch = self.knowledge.tables["made_frozen"].get(value.name)
        if switch is None or value.call is None or value.frame is None:
            return False
        if len(value.call.args) > 1:
            return False  # perhaps by its place
        given = next((term for name, term in value.call.kwargs if name == switch), None)
        values = self.program.values(given, value.frame) if given is not None else ()
        return all(isinstance(v, Unresolved) and isinstance(v.term, Const) and v.term.value is True for v in values)

    # -- who freezes -----------------------------------------------------------------------------------------------

    @remembered()
    def _all(self) -> list[Freezing]:
        return [found for path, function in self.program.functions() for found in self._in(path, function)]

    def _in(self, path: str, function: Function) -> Iterator[Freezing]:
        tests: dict[int, bool] | None = None
        nodes: list[Store | CallStep] = [*of_kind(function, Store), *calls_of(function)]
        for node in nodes:
            found = self._stated(node) if isinstance(node, Store) else self._called(node, path, function)
            if found is None:
                continue
            if tests is None:
                tests = {id(each): bool(led) for each, led in walk_tested(function.body)}
            of, off = found
            yield Freezing(path, self._part(of, function), off, not tests.get(id(node), True))

    def _stated(self, node: Store) -> tuple[Term, bool] | None:
        """``p.requires_grad = False``."""
        target = node.target
        if not isinstance(target, Attr) or target.name not in self._attributes:
            return None
        return target.base, isinstance(node.value, Const) and node.value.value is False

    def _called(self, node: CallStep, path: str, function: Function) -> tuple[Term, bool] | None:
        """``part.requires_grad_(False)``, or a function or method out of sight that says that it freezes what it is given."""
        call = node.term
        callee, given = call.callee, (*call.args, *(value for _, value in call.kwargs))
        name = callee.name.rpartition(".")[2].lower() if isinstance(callee, (Attr, Ref, Global)) else ""
        if isinstance(callee, Attr) and name.rstrip("_") in self._attributes and name.endswith("_"):
            return callee.base, bool(given) and isinstance(given[0], Const) and given[0].value is False
        if not any(word in name for word in self.knowledge.freeze_words):
            return None
        given_to = call.args[0] if call.args else callee.base if isinstance(callee, Attr) else None
        targets = self.program.ask(CallGraph).targets(call, self.program.frame(path, function))
        if given_to is None or any(isinstance(target, FunctionValue) for target in targets):
            return None  # it was given nothing, or what it does is in sight
        return given_to, not name.startswith(("un", "de"))

    def _part(self, of: Term, function: Function) -> str | None:
        """The attribute whose parameters are meant: of each of its parameters, of its weight, of itself."""
        term = of
        if isinstance(term, Subscript):
            term = term.base  # one of the pairs of ``named_parameters()``
        if isinstance(term, Element):
            term = term.of
            if (
                not isinstance(term, Call)
                or not isinstance(term.callee, Attr)
                or term.callee.name not in self.knowledge.hands_parameters
            ):
                return None
            term = term.callee.base
        elif isinstance(term, Attr) and term.name == _WEIGHT:
            term = term.base
        name = _name(term)
        if name is None:
            held = (node.target for node in of_kind(function, Store) if node.value is term and isinstance(term, Call))
            name = next((_name(target) for target in held), None)
        return name


def _name(part: Term) -> str | None:
    """The attribute that a part of a model is, or one item of which it is."""
    while isinstance(part, (Subscript, Element)):
        part = part.stem
    return part.name if isinstance(part, Attr) else None


_CONSTANT = "constant"
_BATCH, _NAMED, _FROZEN, _AGAIN = "batch", "named", "frozen", "again"


class GradientFree(Graphless):
    """Answers for one place: ``arms`` are the tests that lead there, and how they come out."""

    def __init__(self, program: Program, place: CallSite, arms: Mapping[Term, bool]) -> None:
        super().__init__(program)
        self._place = place
        self._arms = arms
        self._assumed: set[tuple[str, int, int]] = set()
        self._data = program.knowledge.tables["data_words"]["names"]

    def why(self, term: Term, frame: Context) -> Why | None:
        """Why a value needs no gradient; None where it may need one."""
        found = self.of(term, frame)
        return None if found is None or found.begins else found

    def of(self, term: Term, frame: Context) -> Why | None:
        """As for any value; what a name holds after a round is asked about as if it needed no gradient before it."""
        assumed = isinstance(term, LoopPhi) and term.place in self._assumed
        return self._said(_AGAIN) if assumed else super().of(term, frame)

    def _of(self, term: Term, frame: Context) -> Why | None:
        """As for any value without a graph, with what needs no gradient for other reasons."""
        return self._data_of(term, frame) or super()._of(term, frame)

    def _data_of(self, term: Term, frame: Context) -> Why | None:
        if isinstance(term, (Const, Compare, Not)):
            return self._said(_CONSTANT)
        if isinstance(term, Select):
            arm = self._arms.get(term.test)
            return self.of(term.then if arm else term.other, frame) if arm is not None else None
        if isinstance(term, Access) and isinstance(term.base, (Element, Subscript, Param, Call)):
            return self.of(term.base, frame)
        if isinstance(term, Element):
            return self._said(_BATCH) if any(True for _ in self.program.ask(Loops).iterated(term.of, frame)) else None
        if isinstance(term, Param):
            return self._parameter(term, frame)
        if isinstance(term, LoopPhi):
            return self._carried(term, frame)
        return self._computed(term, frame) if isinstance(term, Call) else None

    def _said(self, word: str) -> Why:
        return Why(word, self._place.module, self._place.call.term.site)

    def _parameter(self, term: Param, frame: Context) -> Why | None:
        """A parameter whose name says that it is data, where nobody is seen to pass it."""
        if isinstance(frame.given(term), Argument):
            return None
        words = term.name.lower().split("_")
        return self._said(_NAMED) if not set(words).isdisjoint(self._data) else None

    def _carried(self, term: LoopPhi, frame: Context) -> Why | None:
        """A name that a loop binds again: what it holds before the loop, and after each round if it needed none before."""
        carried = carried_by(frame.function, term)
        if carried is None:
            return None
        first = self.of(carried.entry, frame)
        if first is None or first.begins:
            return None
        self._assumed.add(term.place)
        again = self.of(carried.back, frame)
        self._assumed.discard(term.place)
        if again is None:
            forget_questions(self)  # some of it was found because of what was assumed
        return first if again is not None else None

    def _computed(self, call: Call, frame: Context) -> Why | None:
        values = self.program.values(call.callee, frame)
        libraries = {value.name for value in values if isinstance(value, Library)}
        tables = self.program.knowledge.tables
        if len(libraries) == len(values) == 1:
            library = libraries.pop()
            if library in tables["makes_data"]["names"]:
                return None if self._begins(call, frame) else Why(library.rpartition(".")[2], frame.module, call.site)
            if library in tables["recomputes"]:
                return self.together(call.args[1:], frame)
        name = last_name(call.callee) or ""
        if isinstance(call.callee, Attr) and name in self.knowledge.keeps:
            return None  # a method of a tensor: the tensor is asked
        parts = [value for value in values if isinstance(value, (LibraryObject, Instance))]
        if not parts or len(parts) != len(values) or not self.program.ask(Frozen).surely(call.callee, frame):
            return None
        looks_up = all(isinstance(part, LibraryObject) and part.name in tables["looks_up"]["names"] for part in parts)
        if looks_up or self.together(call.args, frame) is not None:
            return Why(_FROZEN, frame.module, call.site)
        return None

    def together(self, terms: tuple[Term, ...], frame: Context) -> Why | None:
        """Why none of several values needs a gradient: what is said of the first that is no constant."""
        found = [self.of(term, frame) for term in terms]
        if not found or any(why is None or why.begins for why in found):
            return None
        said = [why for why in found if why is not None]
        return next((why for why in said if why.word != _CONSTANT), said[0])


def is_constant(why: Why) -> bool:
    """Whether a value needs no gradient because it is no tensor."""
    return why.word == _CONSTANT


def depends_on_round(test: Term) -> bool:
    """Whether a test may come out differently in each round of a loop."""
    return any(isinstance(part, (Element, LoopPhi, Unknown)) for part in parts_of(test))


#: What a test asks that makes sure that there is a graph.
_ASKED = frozenset(("requires_grad", "grad_fn", "is_leaf"))
#: Wrappers of a backward pass, by the kind of thing: they are given the loss.
_TAKES_LOSS = frozenset(("accelerator", "fabric", "engine"))


class Dead(NamedTuple):
    """A backward pass of what has no graph."""

    site: CallSite
    why: Why


def dead(program: Program) -> Iterator[Dead]:
    """The backward passes that start from what has no graph."""
    asked = program.ask(Graphless)
    index = program.ask(CallGraph)
    for name in program.knowledge.backward:
        for site in index.sites.get(name, ()):
            if tests_software(program, site.module, site.function) or _is_guarded(site):
                continue
            found = [asked.of(root, frame) for frame, root in _roots(program, site)]
            if found and found[0] is not None and None not in found:
                yield Dead(site, found[0])


def _roots(program: Program, site: CallSite) -> Iterator[tuple[Context, Term]]:
    """What a backward pass starts from, in each activation of its function."""
    call = site.call.term
    callee = call.callee
    for frame in contexts_at(program, site):
        if (
            not isinstance(callee, Attr)
            or isinstance(callee.base, Ref)
            or program.knowledge.backward[last_name(callee) or ""] == "first"
        ):
            if call.args:
                yield frame, call.args[0]
        elif not call.args:
            yield frame, _unscaled(program, callee.base)
        elif program.ask(Things).of(callee.base, frame).kind in _TAKES_LOSS:
            yield frame, call.args[0]


def _unscaled(program: Program, loss: Term) -> Term:
    """A loss without the scaler around it: ``scaler.scale(loss)``."""
    if isinstance(loss, Call) and isinstance(loss.callee, Attr) and loss.callee.name in program.knowledge.scales and loss.args:
        scaled: Term = loss.args[0]
        return scaled
    return loss


def _is_guarded(site: CallSite) -> bool:
    """Whether a test makes sure that there is a graph, or an error is expected."""
    function, call = site.function, site.call.term
    for node in of_kind(function, If):
        if within(function, node, call) and any(
            isinstance(part, Attr) and part.name in _ASKED for part in parts_of(node.condition)
        ):
            return True
    if any(node.handlers and in_block(function, node.body, call) for node in of_kind(function, Try)):
        return True
    managers = [item for node in of_kind(function, With) if within(function, node, call) for item in node.items]
    return any("raises" in (last_name(item) or "").lower() for item in managers)
