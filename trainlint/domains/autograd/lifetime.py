"""Lifetime: how long a container, a name or an attribute keeps what is put into it, and whether a dict grows.

Beginnings: the statements that give a holder its first value, and run only while it holds nothing yet.

``if mean is None: mean = loss`` does not take away what ``mean`` holds: the test says that there is nothing. So
does one for a value that no loss has (``if mean < 0``, ``if not mean``), for a key that is not there, and for the
first round of the loop. So does ``if self.last is None`` where the same statements always set that other attribute.

Keys: whether an item is set under another key every time, so that a dict grows, or under one that comes again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.autograd.escape import Sink, holds_old, is_old, is_same, mentions_parameter
from trainlint.domains.autograd.graphs import mentions
from trainlint.finding import Spot
from trainlint.flow.objects import Things
from trainlint.flow.rounds import Rounds
from trainlint.ir.nodes import (
    Access,
    Attr,
    BinOp,
    BoolOp,
    Call,
    Collected,
    Compare,
    Composite,
    Const,
    Dict,
    Element,
    Global,
    List,
    LoopPhi,
    Nested,
    Not,
    Or,
    Param,
    Select,
    Self,
    Subscript,
    Term,
    Unknown,
)
from trainlint.ir.operators import length_of_range
from trainlint.ir.order import belongs_to, in_block, loops_around, made_in, made_within, within
from trainlint.ir.sketch import Block, CallStep, Function, If, Keep, Loop, Store
from trainlint.ir.terms import container_of, is_none, parts_of, whole_number
from trainlint.ir.walk import of_kind, statements_of, walk
from trainlint.program.call_graph import CallGraph, CallSite, chained, methods_of
from trainlint.program.container_parts import source_of
from trainlint.program.contexts import calling_contexts, site_of
from trainlint.program.induction import is_counted
from trainlint.program.library_uses import Hooks
from trainlint.program.loops import Loops
from trainlint.program.program import Program
from trainlint.program.running_calls import functions_run
from trainlint.program.values import Argument, ClassValue, Context, FunctionValue, Instance, LibraryObject, Unresolved

#: Terms that may be None.
_PERHAPS = (Const, Select, BoolOp)
#: Comparisons that hold, and that do not, of a value that stands for "nothing yet" (None, a number that is not above zero).
_NOTHING, _SOMETHING = ("Is", "Eq", "Lt", "LtE"), ("IsNot", "NotEq", "Gt", "GtE")


def beginnings(block: Block, holder: Term, loop: Loop | None) -> frozenset[Spot]:
    """Where the statements of a block stand that bind or set what holds nothing yet."""
    found: set[Spot] = set()
    beside = {
        node.target
        for node in block
        if isinstance(node, Store) and isinstance(node.target, Attr) and not isinstance(node.value, _PERHAPS)
    }
    for node in walk(block):
        if isinstance(node, If):
            empty = _says_empty(node.condition, holder, loop)
            if empty is None and isinstance(holder, Attr) and isinstance(node.condition, Compare):
                operator, left, right = node.condition.op, node.condition.left, node.condition.right
                if operator in ("Is", "IsNot") and is_none(right) and left in beside:
                    empty = operator == "Is"
            if empty is not None:
                arm = node.body if empty else node.orelse
                found.update(inner.spot for inner in walk(arm) if isinstance(inner, (Keep, Store)))
    return frozenset(found)


def _says_empty(test: Term, holder: Term, loop: Loop | None) -> bool | None:
    """Whether the holder holds nothing yet where a test is true (True) or false (False); None when the test says neither."""
    if isinstance(test, Not):
        inner = _says_empty(test.operand, holder, loop)
        return None if inner is None else not inner
    if isinstance(test, BoolOp):
        # Several holders begin together; a test of anything else may come out either way in any round.
        wanted = isinstance(test, Or)
        own = [_says_empty(part, holder, loop) for part in test.operands]
        others = [any(_says_empty(part, other, loop) is wanted for other in _named(part)) for part in test.operands]
        return wanted if wanted in own and all(others) else None
    if is_same(test, holder):
        return False
    if not isinstance(test, Compare):
        return None
    operator, left, right = test.op, test.left, test.right
    if operator in ("In", "NotIn"):
        container = holder
        container = container_of(container)
        return operator == "NotIn" if right is container else None
    if not isinstance(right, Const):
        return None
    if is_same(left, holder) and _stands_for_nothing(right.value):
        return True if operator in _NOTHING else False if operator in _SOMETHING else None
    return True if operator == "Eq" and loop is not None and _is_round_number(left, loop) else None


def _is_round_number(term: Term, loop: Loop) -> bool:
    """Whether a term is what the loop binds, or the first part of it: the number of the round, if it is compared with one."""
    bound = term.base if isinstance(term, Subscript) and isinstance(term.key, Const) and term.key.value == 0 else term
    return loop.target is not None and bound is loop.target


def _named(test: Term) -> Iterator[Term]:
    """What a test may ask about: a name that a loop changes, an attribute, an item."""
    return (part for part in parts_of(test) if isinstance(part, (LoopPhi, Access)))


def _stands_for_nothing(value: object) -> bool:
    return value is None or (isinstance(value, (int, float)) and value <= 0)


#: Rounds of a loop that are too few for a leak.
_FEW = 10


class Origin(NamedTuple):
    """Where a holder comes from.

    ``kind``: "made" (in this function, at ``spot``), "carried" (by a loop, at ``spot``), "attribute", "global",
    "parameter" (of this function).
    """

    kind: str
    spot: Spot | None = None


class Lifetimes:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index = program.ask(CallGraph)
        self.loops = program.ask(Loops)

    def root_of(self, term: Term) -> Term:
        """The container around an item: ``table`` for ``table["a"]`` and for ``table.setdefault("a", [])``."""
        while True:
            if isinstance(term, Subscript):
                term = term.base
            elif (
                isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name in self.program.knowledge.hands_out
            ):
                term = term.callee.base
            elif isinstance(term, BinOp) and term.op == "Add":
                term = term.left
            else:
                return term

    # -- where it comes from ---------------------------------------------------------------------------------------

    def origin(self, holder: Term, frame: Context) -> Origin | None:
        """Where the holder of a sink comes from; None when that cannot be said."""
        term = self.root_of(holder)
        if (isinstance(term, List) and not term.items) or isinstance(term, Dict):
            return Origin("made", Spot(term.line, term.column, term.line, term.column + 1))
        if isinstance(term, Collected):
            return Origin("made", Spot(term.line, term.column, term.line, term.column + 1))
        if isinstance(term, LoopPhi) and term.at == "head":
            if any(store.target is term for store in of_kind(frame.function, Store)):  # of the function around this one
                return Origin("attribute")
            return Origin("carried", Spot(term.line, term.column, term.line, term.column + 1))
        if isinstance(term, Attr):
            inner = self.origin(term.base, frame) if not isinstance(term.base, Self) else None
            return inner or (Origin("attribute") if isinstance(term.base, (Self, Param, Attr, Global)) else None)
        if isinstance(term, Global):
            return Origin("global")
        if isinstance(term, Param):
            return Origin("parameter") if term.function == frame.function.qualname else None
        if isinstance(term, Self):
            return Origin("attribute")
        if isinstance(term, Element):  # one of the things that are in there
            return self.origin(term.of, frame)
        if isinstance(term, Call):
            return self._returned(term, frame)
        if isinstance(term, Select):
            return self.origin(term.then, frame) or self.origin(term.other, frame)
        return None

    def _returned(self, call: Call, frame: Context) -> Origin | None:
        """What a call made is as old as the call; what a method hands out of its object is as old as that."""
        for value in self.program.values(call, frame):
            if isinstance(value, (LibraryObject, Instance)) and (value.call is call or self._is_made_by(value, call, frame)):
                return Origin("made", call.site)
            if isinstance(value, Unresolved) and value.frame is not frame and isinstance(call.callee, Attr):
                inner = self.origin(value.term, value.frame)
                if inner is not None and inner.kind == "attribute":
                    return self.origin(call.callee.base, frame)
        return None

    def _is_made_by(self, value: LibraryObject | Instance, call: Call, frame: Context) -> bool:
        """Whether an object is made while a call runs: by the function that is called, or by one that this runs."""
        targets = [each for each in self.index.targets(call, frame) if isinstance(each, FunctionValue)]
        run = functions_run(self.program, *((each.module, each.function) for each in targets)) if value.frame else ()
        return any(function is value.frame.function for _, function in run if value.frame is not None)

    def grows(self, holder: Term, frame: Context) -> bool:
        """Whether a holder is something that can hold more and more: no ``deque(maxlen=…)``, no object of a library."""
        for value in self.program.values(self.root_of(holder), frame):
            if isinstance(value, LibraryObject) and not value.name.startswith(("builtins.", "collections.")):
                return False
            if isinstance(value, LibraryObject) and value.call is not None and value.name in self.program.knowledge.limited_by:
                limit = self.loops.argument(value, self.program.knowledge.limited_by[value.name])
                if limit is not None and not is_none(limit):
                    return False
            if isinstance(value, Instance):
                return False
        return True

    def records(self, holder: Term, frame: Context) -> bool:
        """Whether a holder is an item of a tensor made of nothing: what is written there is recorded with all that was before.

        That the item under a key is replaced gives up no graph of an earlier round.
        """
        makers, root = self.program.knowledge.tables["makes_data"]["names"], self.root_of(holder)
        while (itself := chained(self.program, root)) is not None:
            root = itself
        values = self.program.values(root, frame)
        return bool(values) and all(isinstance(value, LibraryObject) and value.name in makers for value in values)

    # -- loops -----------------------------------------------------------------------------------------------------

    def rounds(self, sink: Sink, origin: Origin) -> Iterator[Loop]:
        """The loops, innermost first, that run the sink again and again while the holder stays the same."""
        for loop in reversed(loops_around(sink.function, sink.spot)):
            if loop.target is not None and loop.target is self.root_of(sink.holder):
                continue  # another holder in each round
            filled = origin.spot is not None and loop.spot[:2] == origin.spot[:2]  # by the comprehension that makes it
            if origin.kind == "made" and origin.spot is not None and not filled and made_within(sink.function, loop, origin.spot):
                return
            if origin.kind == "carried" and origin.spot is not None and isinstance(sink.holder, LoopPhi):
                if loop.spot[:2] == origin.spot[:2]:
                    if not has_few_rounds(loop):
                        yield loop
                    return
                continue
            if origin.kind == "carried" and origin.spot is not None and loop.spot[:2] == origin.spot[:2]:
                return
            if not has_few_rounds(loop):
                yield loop

    def one_step(self, sink: Sink, loop: Loop, origin: Origin, *, direct: bool) -> bool:
        """Whether a loop runs the parts of one optimizer step, and what it fills is gone when the step is done."""
        if origin.kind not in ("made", "carried"):
            return False
        names = self.program.knowledge.updates
        if origin.kind == "made" and self._goes_over_trained(sink, loop, names):
            return True
        if self.loops.round_says(sink.module, sink.function, loop, names):
            return is_counted(loop) and self._is_window_of_engine(sink, loop)
        if direct or is_counted(loop):
            return True  # a backward pass written out here, or for each of a number of parts: and no step after it
        # A function in a function may be the closure that an optimizer calls.
        return sink.function.outer is not None or self.loops.says(sink.module, sink.function, sink.function.body, names)

    def _goes_over_trained(self, sink: Sink, loop: Loop, names: frozenset[str]) -> bool:
        """Whether each round is the step of another thing: one that the loop draws (``for part in optimizers.values():``)."""
        if loop.kind != "for" or loop.target is None or is_counted(loop):
            return False
        drawn = frozenset((loop.target,))
        frame = self.program.frame(sink.module, sink.function)
        calls = (node.term for node in walk(loop.body) if isinstance(node, CallStep))
        own = (call for call in calls if isinstance(call.callee, Attr) and mentions(call.callee.base, drawn))
        return any(self.loops.call_says(call, frame, names) for call in own)

    def _is_window_of_engine(self, sink: Sink, loop: Loop) -> bool:
        """Whether a loop may run the micro-batches of one step: an engine is told of each, and applies what full windows sum up.

        DeepSpeed's engine is (`DeepSpeedEngine.step`, deepspeed/runtime/engine.py 0.19): it takes an optimizer step at the
        boundary of its accumulation only. So it may where the function that runs the loop is itself called in each round.
        """
        if not any(loops_around(site.function, site.call) for site in self.index.callers(sink.function)):
            return False
        asked = self.program.ask(Things)
        found = self.program.ask(Rounds).walked(loop.body, self.program.frame(sink.module, sink.function), loop, ())
        if found is None or found.of_kind("step"):
            return False
        engines = [each.thing for each in found.of_kind("backward") if each.way == "managed" and each.thing is not None]
        callees = ((each.call.callee, each.frame) for each in found.of_kind("unknown"))
        stepped = [asked.of(each.base, where) for each, where in callees if isinstance(each, Attr) and each.name == "step"]
        return bool(stepped) and all(any(asked.same(each, engine) for engine in engines) for each in stepped)

    def once(self, sink: Sink, loop: Loop) -> bool:
        """Whether the sink runs in one certain round of the loop only: under ``if step == 0``."""
        if loop.target is None:
            return False
        for node in walk(loop.body):
            if isinstance(node, If) and in_block(sink.function, node.body, sink.spot):
                test = node.condition
                if (
                    isinstance(test, Compare)
                    and test.op == "Eq"
                    and isinstance(test.right, Const)
                    and not isinstance(test.left, BinOp)
                    and mentions(test.left, frozenset((loop.target,)))
                ):
                    return True
        return False

    # -- what takes values out again -------------------------------------------------------------------------------

    def bounded(self, sink: Sink, loop: Loop | None, by: Sink | None = None) -> bool:
        """Whether a round of the loop (or a call of the function) can empty the holder, or bind it anew.

        ``by``: the call that runs the sink's method; else any of its callers may be the one that empties.
        """
        block = loop.body if loop is not None else sink.function.body
        root = self.root_of(sink.holder)
        first = beginnings(block, sink.holder, loop)
        for node in walk(block):
            if (
                isinstance(node, Keep)
                and node.spot not in (*first, sink.spot, sink.statement)
                and self._anew(node, sink.holder, root)
            ):
                return True
            if (
                isinstance(node, Store)
                and node.spot not in (*first, sink.spot, sink.statement)
                and node.target is root
                and node.kind != "AugAssign"
                and not holds_old(node.value, root)
            ):
                return True
            if isinstance(node, CallStep) and self._empties(node.term, sink.holder, root):
                return True
        return isinstance(root, Attr) and self._elsewhere(sink, root, loop, by)

    def _anew(self, node: Keep, holder: Term, root: Term) -> bool:
        """The name is bound to something else, or to a part of what it was."""
        if isinstance(node.target, LoopPhi) and isinstance(root, LoopPhi) and node.target.place == root.place:
            return not _grows(node.value, node.target)
        if node.target is holder and isinstance(holder, Subscript):
            return not holds_old(node.value, holder)
        return False

    def _empties(self, call: Call, holder: Term, root: Term) -> bool:
        names = self.program.knowledge.empties
        callee = call.callee
        if not isinstance(callee, Attr) or callee.name not in names | self.program.knowledge.ends_in_place:
            return False
        same = (
            callee.base is holder
            or self.root_of(callee.base) is root
            or (isinstance(root, LoopPhi) and isinstance(callee.base, LoopPhi) and callee.base.place == root.place)
        )
        return same or (isinstance(holder, LoopPhi) and holds_old(callee.base, holder))

    def _elsewhere(self, sink: Sink, root: Attr, loop: Loop | None, by: Sink | None) -> bool:
        """Another method binds the attribute anew, or empties it, in every round."""
        if not isinstance(root.base, Self):
            return False
        cls = self.program.modules[sink.module].classes.get(root.base.cls)
        if cls is None:
            return False
        resetting = [f for f in self._methods(sink.module, cls.qualname) if self._resets(f, root) and f is not sink.function]
        resetting = [f for f in resetting if f.name != "__init__" and not self._is_seldom(sink.module, f)]
        names = frozenset(f.name for f in resetting)
        if not names:
            return False
        if loop is not None:
            return self.loops.says(sink.module, sink.function, loop.body, names, old=True)
        if self.loops.says(sink.module, sink.function, sink.function.body, names, old=True):
            return True
        if by is not None:
            loops = loops_around(by.function, by.spot)
            body = loops[-1].body if loops else by.function.body
            if self.loops.says(by.module, by.function, body, names, old=True):
                return True
            return not loops and any(self._says_around(site, names) for site in self.index.callers(by.function))
        callers = self.index.callers(sink.function)
        # Nobody in sight: who knows when they are called.
        return not callers or any(self._says_around(site, names) for site in callers)

    def _is_seldom(self, module: str, function: Function) -> bool:
        """Whether a framework runs a method, and not in every step of the training."""
        words = self.program.ask(Hooks).of(module, function)
        return bool(words) and words.isdisjoint(("batch", "step"))

    def _says_around(self, site: CallSite, names: frozenset[str]) -> bool:
        """Whether one of these methods may run in the innermost loop around a call, or in its function."""
        outer = loops_around(site.function, site.call)
        body = outer[-1].body if outer else site.function.body
        return self.loops.says(site.module, site.function, body, names, old=True)

    def _methods(self, module: str, qualname: str) -> Iterator[Function]:
        cls = self.program.modules[module].classes[qualname]
        return (method for _, method in methods_of(self.program, ClassValue(module, cls)))

    def _resets(self, function: Function, root: Attr) -> bool:
        name = root.name
        for node in statements_of(function):
            if (
                isinstance(node, Store)
                and isinstance(node.target, Attr)
                and node.target.name == name
                and isinstance(node.target.base, Self)
            ):
                if node.kind != "AugAssign" and not holds_old(node.value, node.target):
                    return True
            elif (
                isinstance(node, CallStep)
                and isinstance(node.term.callee, Attr)
                and node.term.callee.name in self.program.knowledge.empties
            ):
                receiver = self.root_of(node.term.callee.base)
                if isinstance(receiver, Attr) and receiver.name == name and isinstance(receiver.base, Self):
                    return True
        return False

    def passed_again(self, sink: Sink, frame: Context) -> bool:
        """Whether the caller of this activation hands the same container to it in every round of a loop, and never empties it."""
        root = self.root_of(sink.holder)
        while isinstance(root, (Attr, Call)):
            root = (
                self.root_of(root.base)
                if isinstance(root, Attr)
                else self.root_of(root.callee.base)
                if isinstance(root.callee, Attr)
                else self.root_of(root.callee)
            )
        bound = frame.arguments.get(root.name) if isinstance(root, Param) else None
        site = site_of(self.program, frame)
        if not isinstance(bound, Argument) or site is None or frame.caller is not bound.frame:
            return False
        origin = self.origin(bound.term, bound.frame)
        if origin is None or origin.kind == "carried":
            return False
        for loop in reversed(loops_around(site.function, site.call.term)):
            if origin.kind == "made" and origin.spot is not None and made_within(site.function, loop, origin.spot):
                return False
            calls_in = [node.term for node in walk(loop.body) if isinstance(node, CallStep)]
            return not any(self._empties(call, bound.term, self.root_of(bound.term)) for call in calls_in)
        return False

    def handed_in_rounds(self, sink: Sink, origin: Origin) -> bool:
        """Whether the function around this one makes the holder once, and in each round of a loop calls it or hands it to a call.

        That is the closure of an optimizer. The loop must not empty what the closure fills.
        """
        function = sink.function
        outer = self.program.modules[sink.module].functions.get(function.outer or "")
        if outer is None or outer.kind == "module" or origin.spot is None or made_in(function, origin.spot):
            return False
        for loop in of_kind(outer, Loop):
            inside = [node.term for node in walk(loop.body) if isinstance(node, CallStep)]
            runs = any(
                isinstance(term, Nested) and term.name == function.qualname
                for call in inside
                for term in (call.callee, *call.args)
            )
            if runs and not made_within(outer, loop, origin.spot):
                return not any(self._empties(call, sink.holder, self.root_of(sink.holder)) for call in inside)
        return False

    def outlives(self, frame: Context) -> bool:
        """Whether the object whose method runs may be there when the method runs again: not made anew for each call."""
        made, caller = frame.receiver, frame.caller
        if not isinstance(made, Instance) or made.call is None or made.frame is None or caller is None or frame.call is None:
            return True
        if made.frame.function is not caller.function:
            return True
        return any(not within(caller.function, loop, made.call) for loop in loops_around(caller.function, frame.call))

    def repeated(self, frame: Context) -> bool:
        """Whether a function is run again and again, as far as can be seen: from a loop, or by nobody in sight."""
        current: Context | None = frame
        while current is not None:
            sites = self.index.callers(current.function)
            if not sites and (current.call is None or current.caller is None):
                return True
            if current.call is not None and current.caller is not None and loops_around(current.caller.function, current.call):
                return True
            if any(loops_around(site.function, site.call) for site in sites):
                return True
            current = current.caller
        return False


def _grows(value: Term, target: Term) -> bool:
    """Whether a name is bound to its old value and more, nothing taken away."""
    if is_old(value, target):
        return True
    if isinstance(value, BinOp):
        return _grows(value.left, target) or _grows(value.right, target)
    return isinstance(value, Select) and _grows(value.then, target) and _grows(value.other, target)


def has_few_rounds(loop: Loop) -> bool:
    """Whether a loop says that it runs a handful of times: what that keeps is no leak."""
    bounds = loop.subject.args if is_counted(loop) and isinstance(loop.subject, Call) else ()
    rounds = length_of_range(*map(whole_number, bounds))
    return rounds is not None and rounds <= _FEW


class Keys:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def differs(self, key: Term, loop: Loop | None, frame: Context) -> bool:
        """Whether a key is another one in every round of a loop; without a loop, in every call of the function.

        Where an inner loop makes the key, it must be part of what the round is about (the numbers of its samples): counting
        from 0, and going over the names in a dict, gives the same keys in every round.
        """
        if isinstance(key, Const):
            return False
        if isinstance(key, Composite):  # ``f"step {index}"``
            return any(self.differs(part, loop, frame) for part in key.pieces)
        if _made_by_a_loop(key) and (loop is None or not _binds(loop, key)):
            subject = self._subject(key, frame, loop)
            if subject is None:
                return False
            return loop is not None or (isinstance(subject, Param) and self._is_new(subject, frame))
        if loop is None:
            return False
        return loop.target is None or mentions(key, frozenset((loop.target,))) or _carried(key, loop)

    def handed(self, inner: Sink, key: Term, call: Call, loop: Loop | None, frame: Context) -> bool:
        """Whether a method that sets an item is handed another key in every round of the loop around its call."""
        for target in self._methods(inner, call, frame):
            entered = self.program.enter(target, call, frame)
            given = [
                bound.term
                for name, bound in entered.arguments.items()
                if isinstance(bound, Argument) and mentions_parameter(key, inner.function.qualname, name)
            ]
            if any(self.differs(term, loop, frame) for term in given):
                return True
        return False

    def _methods(self, inner: Sink, call: Call, frame: Context) -> list[FunctionValue]:
        found = self.program.values(call.callee, frame)
        return [value for value in found if isinstance(value, FunctionValue) and value.function is inner.function]

    def _subject(self, key: Term, frame: Context, loop: Loop | None) -> Term | None:
        """The parameter, or what the loop binds, whose items make the keys; None when anything else has a say."""
        while True:
            if loop is not None and loop.target is key:
                return key
            if loop is None and isinstance(key, Param):
                return key if key.function == frame.function.qualname else None
            source = source_of(self.program, key, frame)
            if source is not None:
                key = source
            elif isinstance(key, Access) and not isinstance(key.base, Self):
                key = key.base
            elif (
                isinstance(key, Call)
                and isinstance(key.callee, Attr)
                and not key.args
                and key.callee.name not in self.program.knowledge.views
            ):
                key = key.callee.base  # ``numbers.tolist()``
            elif isinstance(key, Call) and len(key.args) == 1 and self._hands_on(key, frame):
                key = key.args[0]
            else:
                return None

    def _hands_on(self, call: Call, frame: Context) -> bool:
        known = self.program.knowledge.transparent
        return self.program.may_be_one_of(call.callee, frame, known)

    def _is_new(self, parameter: Param, frame: Context) -> bool:
        """Whether every call in sight hands something of its own round to a parameter."""
        frames = [frame] if frame.caller is not None else calling_contexts(self.program, frame.module, frame.function)
        return all(self._from_a_round(parameter, each) for each in frames)

    def _from_a_round(self, parameter: Param, frame: Context) -> bool:
        if frame.caller is None:
            return True  # nobody is seen to call it
        bound = frame.arguments.get(parameter.name)
        site = site_of(self.program, frame)
        if not isinstance(bound, Argument) or site is None:
            return bound is None and parameter.name not in frame.function.defaults  # ``step(*batch)``
        targets = [loop.target for loop in loops_around(site.function, site.call.term) if loop.target is not None]
        if isinstance(bound.term, Unknown) or mentions(bound.term, frozenset(targets)):
            return True
        if targets:
            return False  # the same in all rounds
        if not isinstance(bound.term, Param) or bound.term.function != bound.frame.function.qualname:
            return False
        return self._from_a_round(bound.term, bound.frame)


def _made_by_a_loop(key: Term) -> bool:
    """Whether a key is, or is read off, what a loop binds: ``number``, ``int(number)``, ``row["id"]``."""
    return any(isinstance(part, Element) for part in _read_off(key))


def _binds(loop: Loop, key: Term) -> bool:
    """Whether a key is read off what this very loop binds, and not off what an inner loop does."""
    return any(part is loop.target for part in _read_off(key))


def _read_off(key: Term) -> Iterator[Term]:
    """A key, what it is read off, and so on: ``int(row["id"])``, ``row["id"]``, ``row``."""
    while True:
        yield key
        if isinstance(key, Access):
            key = key.base
        elif isinstance(key, Call) and isinstance(key.callee, Attr):
            key = key.callee.base
        elif isinstance(key, Call) and len(key.args) == 1:
            key = key.args[0]
        else:
            return


def _carried(key: Term, loop: Loop) -> bool:
    """Whether what the loop carries from round to round is part of a key: a count, as it is or in a text."""
    return any(isinstance(part, LoopPhi) and belongs_to(loop, part) for part in parts_of(key))
