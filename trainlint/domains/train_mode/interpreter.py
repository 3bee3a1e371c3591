"""Mode interpreter: a training loop is run abstractly for two rounds, with the mode of each model as the state.

What is known of the models at one point of a run: who set the mode of which of them last.

A loop run abstractly, twice: what its second round meets is what its first has left.

The run notes, in order, where the mode of a model is set, where something is called that may be a model, and where
a backward pass is. Conditions are followed as far as an activation knows them; loops in the loop are taken to run
once.

The loops in which models are trained and something else is done with them, each run for two rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from trainlint.domains.nn.modules import is_module, methods_run, of_module, runs_layers
from trainlint.domains.train_mode.evidence import put_to_evaluation, runs_outer_model, sources, trained
from trainlint.flow.paths import WORK, GivenUp, TooMany
from trainlint.ir.abstract_interpretation import Interpreter
from trainlint.ir.nodes import (
    And,
    Attr,
    BinOp,
    BoolOp,
    Call,
    Compare,
    Const,
    Element,
    Entered,
    Global,
    LoopPhi,
    Nested,
    Or,
    Param,
    Ref,
    Select,
    Self,
    Subscript,
    Term,
)
from trainlint.ir.sketch import CallStep, Class, Function, If, Loop, Statement, Store, With, Yield
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.consteval import truth
from trainlint.program.contexts import calling_contexts
from trainlint.program.def_use import Uses
from trainlint.program.heap import CONSTRUCTS
from trainlint.program.indirect_calls import Decorated
from trainlint.program.leading import Leading
from trainlint.program.loops import Loops
from trainlint.program.memo import kept_in
from trainlint.program.object_identity import NOTHING, Allocation, Identities, Key, Keys, ObjectOf, Parameter, Part
from trainlint.program.program import Program
from trainlint.program.running_calls import functions_run
from trainlint.program.scopes import manages
from trainlint.program.values import ClassValue, Context, FunctionValue, Instance, Library, LibraryObject, Unresolved

TRAIN, EVALUATE, UNKNOWN, BEFORE = "train", "evaluate", "unknown", "before"


class Setting(NamedTuple):
    """What the mode of a model was last set to: ``before`` the run began, or by a call in an activation."""

    word: str
    call: CallStep | None = None
    frame: Context | None = None


Settings = frozenset[Setting]
START: Settings = frozenset({Setting(BEFORE)})
DOUBT: Settings = frozenset({Setting(UNKNOWN)})


class State:
    """The settings of each model. States are never changed, only replaced: branches share them."""

    __slots__ = ("known", "rest")

    def __init__(self, known: dict[Key, Settings] | None = None, rest: Settings = START) -> None:
        self.known = known or {}
        self.rest = rest

    def is_first(self) -> bool:
        """Whether nothing is known but what a run begins with."""
        return not self.known and self.rest == START

    def of(self, keys: Keys) -> Settings:
        """What may hold for a model that is one of these."""
        return frozenset().union(*(self.known.get(key, self.rest) for key in keys)) if keys else DOUBT

    def set(self, keys: Keys, setting: Setting, *, surely: bool = True) -> State:
        """The state after a call; not ``surely``: of these models only one is set, and nobody can say which."""
        known = dict(self.known)
        for key in keys:
            known[key] = frozenset({setting}) if surely else self.known.get(key, self.rest) | {setting}
            for other in self.known:
                if _inside(other, key):
                    known[other] = frozenset({setting})
        return State(known, self.rest)

    def begun(self, keys: Keys) -> State:
        """The state after these models were made: nobody has set their mode, nor that of their parts."""
        known = {
            key: START if key in keys or any(_inside(key, each) for each in keys) else settings
            for key, settings in self.known.items()
        }
        return State(known, self.rest)

    def doubted(self, keys: Keys) -> State:
        """The state after somebody out of sight may have set the mode of these models, or of their parts."""
        doubtful = [key for key in self.known if key in keys or any(_inside(key, each) for each in keys)]
        return State({**self.known, **dict.fromkeys(doubtful, DOUBT)}, self.rest) if doubtful else self

    def joined(self, other: State) -> State:
        """Where two ways meet."""
        if other is self:
            return self
        known = {key: self.known.get(key, self.rest) | other.known.get(key, other.rest) for key in (*self.known, *other.known)}
        return State(known, self.rest | other.rest)


DOUBTFUL = State({}, DOUBT)


def _inside(part: Key, whole: Key) -> bool:
    """Whether a model is a part of another one."""
    while isinstance(part, Part):
        part = part.whole
        if part == whole:
            return True
    return False


#: What runs when an object is called, and the kinds of terms that may stand for a model.
_CALLED = ("forward", "__call__", "__init__")
_MODELS = frozenset((Param, Attr, Global, LoopPhi, Subscript, Select, Call, Self, Or, And, Element, Entered))
PASS, METHOD, BACKWARD, HANDED, SET, STEP = "pass", "method", "backward", "handed", "set", "step"


class Event(NamedTuple):
    """Something that happens in a round: what ``kind`` says.

    It is a ``pass`` (perhaps) of a model, another ``method`` of one that runs its layers (noted where a mode was set), a
    ``backward``, a mode that is ``set``, a model that is ``handed`` on to somebody out of sight, or the ``step`` of an optimizer
    (perhaps, or of a scaler or scheduler). ``inside`` are the loops that are running, outermost first, those of the callers too;
    ``settings`` what the mode of the model was set to last.
    """

    kind: str
    keys: Keys
    settings: Settings
    call: CallStep
    frame: Context
    inside: tuple[Loop, ...]


class _Met:
    """What a call is in one activation, whatever modes are set when a run comes to it: each part is worked out when first needed.

    A run comes to most calls several times: in two rounds, in the rounds of the loops around, and from several of its calls.
    """

    __slots__ = ("applies", "given", "handed", "held", "key", "leading", "name", "of_library", "passes", "spoiled", "targets")

    def __init__(self, name: str | None) -> None:
        self.name = name
        self.key: Allocation | None = None
        self.targets: list[FunctionValue] | None = None
        #: The models that it may run, itself or by a method, that it is handed, and that somebody out of sight may set a mode of.
        self.passes: Keys | None = None
        self.applies: Keys | None = None
        self.handed: Keys | None = None
        self.spoiled: Keys | None = None
        #: What of its arguments may be a model, and the models that each of these is, and keeps.
        self.given: list[Term] | None = None
        self.held: list[tuple[Keys, Keys]] = []
        self.of_library: bool | None = None
        #: By the number of the target: whether that is gone into, whatever the call is given.
        self.leading: dict[int, bool] = {}


#: How a block is left but at its end.
_WAYS_OUT = ("return", "break", "continue")
#: The names by which activations keep, for all runs, what calls are, and what tests come to.
_CALLS, _TESTS = "mode calls", "mode tests"


class Run(Interpreter[State]):
    """The second round of a loop, or without one the whole body of a function, with all that happens in it.

    ``earlier`` is what has run before: the constructor of the object whose method it is.
    """

    def __init__(self, program: Program, frame: Context, loop: Loop | None, earlier: Run | None = None) -> None:
        super().__init__()
        self.program = program
        self.frame = frame
        self.index: CallGraph = program.ask(CallGraph)
        self.identities: Identities = program.ask(Identities)
        knowledge = program.knowledge
        self._evaluates, self._trains, self._backward = (
            knowledge.evaluates,
            knowledge.ends_evaluation,
            frozenset(knowledge.backward),
        )
        self._leading = self._evaluates | self._trains | knowledge.training
        self._passes = knowledge.passes | knowledge.other_passes
        self._ordinary = knowledge.common_methods | knowledge.tensor_methods
        self._setting = program.ask(Leading).by_name(self._evaluates | self._trains).names
        #: The functions (by their id) that set a mode otherwise than by calling its method.
        self._otherwise = program.ask(_setting_otherwise)
        self._budget = WORK
        #: What runs where a generator yields that a ``with`` entered.
        self._bodies: dict[Context, Callable[[State], State | None]] = {}
        self._inside: tuple[Loop, ...] = () if loop is None else (loop,)
        self.events: list[Event] = [] if earlier is None else [each for each in earlier.events if each.kind == SET]
        #: The models that some call put into training mode, and those of which some call set the mode.
        self.trained: set[Key] = set()
        self.switched: set[Key] = set() if earlier is None else set(earlier.switched)
        #: Of a whole body: the settings that it leaves.
        self.end: State | None = None
        if loop is None:
            begun = State() if earlier is None or earlier.end is None else earlier.end
            self.end = self.behind(lambda: self.block(frame.function.body, begun), "return")
            return
        start = self.behind(lambda: self.block(loop.body, State()), "continue")
        if start is not None and start.is_first():
            return  # the second round meets what the first one met
        self.events = []
        self.block(loop.body, start)

    def join(self, one: State, other: State) -> State:
        """What may be set on either way."""
        return one.joined(other)

    def statement(self, node: Statement, state: State) -> State | None:
        """The state behind a statement. Raises :class:`TooMany`."""
        self._budget -= 1
        if self._budget < 0:
            raise TooMany
        return super().statement(node, state)

    def step(self, node: Statement, state: State) -> State | None:
        """Calls set a mode, and whoever writes the flag himself: which mode that is, nobody asks."""
        if isinstance(node, CallStep):
            return self._call(node, self.frame, state)
        if isinstance(node, Store) and isinstance(node.target, Attr) and node.target.name in self.program.knowledge.mode_flags:
            return self._writes(node.target.base, state)
        return self._bodies[self.frame](state) if isinstance(node, Yield) and self.frame in self._bodies else state

    def arm(self, node: If, holds: bool, state: State) -> State | None:
        """The state at the end of an arm; what only the last round does is not met by another one."""
        tests = kept_in(self.frame, _TESTS, Run, self.program)
        if node.condition not in tests:
            tests[node.condition] = truth(self.program, node.condition, self.frame)
        if tests[node.condition] is (not holds):
            return None
        end = super().arm(node, holds, state)
        return None if holds and _is_last(node.condition) else end

    def round(self, node: Loop, state: State) -> State | None:
        """The state at the end of a round, in which the loop is known to be running; a comprehension is not: it binds nothing."""
        outer = self._inside
        if not is_comprehension(node):
            self._inside = (*outer, node)
        end = super().round(node, state)
        self._inside = outer
        return end

    def context(self, node: With, state: State) -> State | None:
        """The state behind a ``with``: what a manager of modes set it puts back."""
        for item in node.items:
            if not self._switches(item, self.frame):
                continue
            manager = self._generator(item)
            if manager is not None:
                return self._managed(manager, node, state)
            left = self._leaves_set(item)
            if left is None:
                self.block(node.body, DOUBTFUL)
                return state
            state = self._function(left, item, self.frame, state) or state  # type: ignore[arg-type]  # a call makes it
        return super().context(node, state)

    def _generator(self, item: Term) -> Context | None:
        """The activation of a generator that a ``with`` enters: it sets a mode before it yields, and maybe behind that."""
        targets = self.index.targets(item, self.frame) if isinstance(item, Call) else ()
        target = targets[0] if len(targets) == 1 else None
        if not isinstance(target, FunctionValue) or not manages(self.program, target) or not self.frame.follows(target.function):
            return None
        return self.program.enter(target, item, self.frame)  # type: ignore[arg-type]  # a call has targets

    def _managed(self, manager: Context, node: With, state: State) -> State | None:
        """The state behind a ``with`` whose body runs where a generator yields."""
        around = self.frame
        ends: list[State | None] = []

        def body(state: State) -> State | None:
            self.frame = around
            ends[:] = self._ends(node, state, _WAYS_OUT)
            self.frame = manager
            return self.joined(*ends)

        self._bodies[manager], self.frame = body, manager
        after = self.behind(lambda: self.block(manager.function.body, state), "return")
        self.frame = around
        del self._bodies[manager]
        end, *left = ends or [state]
        # What leaves the body comes by what stands behind the ``yield``, and then leaves.
        for way, gone in zip(_WAYS_OUT, left, strict=False):
            if gone is not None and after is not None and way in self._left:
                self._left[way].append(after)
        return after if end is not None else None

    def _ends(self, node: With, state: State, ways: tuple[str, ...]) -> list[State | None]:
        """The state at the end of a ``with``, and those in which these ways leave it."""
        if not ways:
            return [super().context(node, state)]
        ends: list[State | None] = []

        def inner() -> State | None:
            ends[:] = self._ends(node, state, ways[1:])
            return ends[0]

        _, left = self.caught(inner, ways[0])
        return [ends[0], left, *ends[1:]]

    def _leaves_set(self, item: Term) -> FunctionValue | None:
        """The ``__enter__`` of a manager made here that sets modes, where its ``__exit__`` puts nothing back."""
        values = self.program.values(item, self.frame) if isinstance(item, Call) else ()
        if len(values) != 1 or not isinstance(values[0], Instance):
            return None
        _, enter, leave = next(self.index.managed(item, self.frame))
        is_put_back = leave is None or self.program.ask(Loops).function_says(
            leave.module, leave.function, self._evaluates | self._trains
        )
        return None if is_put_back else enter

    # -- calls -----------------------------------------------------------------------------------------------------

    def _call(self, node: CallStep, frame: Context, state: State) -> State | None:
        term = node.term
        calls = kept_in(frame, _CALLS, Run, self.program)
        met: _Met | None = calls.get(term)
        if met is None:
            met = calls[term] = _Met(last_name(term.callee))
        name = met.name
        if name in self._evaluates or name in self._trains:
            set_here = self._sets(node, frame, state)
            if set_here is not None:
                return set_here
        if name in self._backward:
            self._note(BACKWARD, NOTHING, node, frame, state)
        if name == STEP and isinstance(term.callee, Attr):
            self._note(STEP, NOTHING, node, frame, state)
        if state.known:
            if met.key is None:
                met.key = self.identities.key(term, frame)
            if met.key in state.known:
                state = state.begun(frozenset({met.key}))  # another model than in the round before
            elif met.key in self.identities.choices:
                state = state.begun(self.identities.choices[met.key] & state.known.keys())
        if met.targets is None:
            named = name is not None or isinstance(term.callee, Element)
            met.targets = [each for each in self.index.targets(term, frame) if isinstance(each, FunctionValue)] if named else []
        if name not in self._backward and not isinstance(term.callee, (Ref, Nested)):
            if met.passes is None:
                met.passes = self._called(term.callee, frame, met.targets)
            methods = self._applied(node.term, met, frame) if state.known and not (met.passes and met.targets) else NOTHING
            if methods or met.passes:
                self._note(METHOD if methods else PASS, methods or met.passes, node, frame, state)
        return self._enter(node, met, frame, state)

    def _called(self, callee: Term, frame: Context, targets: list[FunctionValue]) -> Keys:
        """What a call may run: a model, or a method of one."""
        if isinstance(callee, Attr) and callee.name in self._passes:
            return NOTHING if self._is_of_project(callee.base, frame) else self.identities.of(callee.base, frame)
        plain = any(target.function.name not in _CALLED for target in targets)
        if plain or (isinstance(callee, Attr) and callee.name in self._ordinary):
            return NOTHING
        return self.identities.of(callee, frame)

    def _applied(self, term: Call, met: _Met, frame: Context) -> Keys:
        """The model whose layers a call of a method applies; of one out of sight, each method that goes by the name has to."""
        if not isinstance(term.callee, Attr):
            return NOTHING
        if met.applies is None:
            keys = self.identities.of(term.callee.base, frame)
            unknown = not met.targets
            if unknown and (keys.isdisjoint(self.switched) or met.name in self._ordinary or met.name in self._passes):
                return NOTHING
            applied = [self._applies(each) for each in met.targets or methods_run(self.program, term, frame)]
            met.applies = keys if any(applied) and (all(applied) or not unknown) else NOTHING
        return met.applies

    def _applies(self, target: FunctionValue) -> bool:
        """Whether a method of a model runs its layers, and sets no mode nor computes gradients (then it is gone into)."""
        about = (target.module, target.function)
        return of_module(self.program, *about) and not self._leads(target) and self.program.ask_of(runs_layers, about)

    def _note(self, kind: str, keys: Keys, node: CallStep, frame: Context, state: State) -> None:
        self.events.append(Event(kind, keys, state.of(keys), node, frame, self._inside))

    def _sets(self, node: CallStep, frame: Context, state: State) -> State | None:
        """``model.eval()``, ``model.train(flag)``; None when it is a method of the project that goes by the name."""
        term = node.term
        if not isinstance(term.callee, Attr):
            return None
        found = self.index.targets(term, frame)
        own = (target for target in found if isinstance(target, FunctionValue))
        if any(not of_module(self.program, target.module, target.function) for target in own):
            return None
        keys = self.identities.of(term.callee.base, frame)
        word = EVALUATE if term.callee.name in self._evaluates else self._flag(term, frame)
        setting = Setting(word, node, frame)
        if not keys or any(isinstance(key, ObjectOf) for key in keys):
            return DOUBTFUL.set(keys, setting)  # one of many, or all that an object holds
        self.switched |= keys
        if word != EVALUATE:
            self.trained |= keys
        state = state.set(keys, setting, surely=word != EVALUATE or len(keys) == 1)
        self._note(SET, keys, node, frame, state)
        # What the model is made of has its mode, too; a wrapper, and the model that it is given, are one model.
        return state.set(self._given(term.callee.base, frame) - keys, setting if word != EVALUATE else Setting(UNKNOWN))

    def _writes(self, model: Term, state: State) -> State:
        """``model.training = flag``; an object of the project that is no model may have such an attribute, too."""
        if self._is_of_project(model, self.frame):
            return state
        keys = self.identities.of(model, self.frame)
        return state.set(keys, Setting(UNKNOWN)) if keys else DOUBTFUL

    def _is_of_project(self, term: Term, frame: Context) -> bool:
        """Whether something is an object of the project that is no model: a trainer has a ``train_step``, too."""
        values = self.program.values(term, frame)
        return bool(values) and all(isinstance(value, Instance) and not is_module(self.program, value) for value in values)

    def _flag(self, term: Call, frame: Context) -> str:
        """What ``train(…)`` is told."""
        given = [*term.args, *(value for _, value in term.kwargs)]
        known = truth(self.program, given[0], frame) if given else True
        return UNKNOWN if known is None else TRAIN if known else EVALUATE

    def _given(self, model: Term, frame: Context) -> Keys:
        """What the object was made of whose mode is set: its parts follow it."""
        found: Keys = NOTHING
        for value in self.program.values(model, frame):
            if isinstance(value, (Instance, LibraryObject)) and value.call is not None and value.frame is not None:
                for given in (*value.call.args, *(each for _, each in value.call.kwargs)):
                    found |= self.identities.of(given, value.frame)
        return found

    def _enter(self, node: CallStep, met: _Met, frame: Context, state: State) -> State | None:
        """What a function of the project does in its turn; of another one, that it is handed a model."""
        term = node.term
        if isinstance(term.callee, Call) and self._is_chosen(term):
            keys = self.identities.of(term.callee.args[0], frame) if term.callee.args else NOTHING
            return state.set(keys, Setting(UNKNOWN)) if keys else DOUBTFUL
        if met.given is None:
            met.given = [each for each in (*term.args, *(value for _, value in term.kwargs)) if type(each) in _MODELS]
        if not met.targets:
            return self._handed(node, met, frame, state)
        entered = []
        for number, target in enumerate(met.targets):
            if target.function.generator or not frame.follows(target.function):
                return state
            leads = met.leading.get(number)
            if leads is None:
                leads = met.leading[number] = self._leads(target) or runs_outer_model(self.program, target)
            if not leads and not self._concerns(met, frame, term.callee) and not self._is_own(target, frame):
                after = self._remade(target, state)
                entered += [after] if after is not state else []
                continue
            end = self._function(target, term, frame, state)
            if end is not None:
                entered.append(end)
        return self.joined(*entered) or state

    def _handed(self, node: CallStep, met: _Met, frame: Context, state: State) -> State:
        """The state after a callee out of sight: it is handed models, and may set the mode of some."""
        callee, given = node.term.callee, met.given or ()
        asked = not isinstance(callee, Ref) and not (isinstance(callee, Attr) and callee.name in self._ordinary)
        if met.handed is None:
            met.handed = NOTHING.union(*(self.identities.of(each, frame) for each in given)) if asked else NOTHING
        if met.handed:
            self._note(HANDED, met.handed, node, frame, state)
        if not state.known:
            return state
        if met.of_library is None:
            met.of_library = any(isinstance(each, Library) for each in self.index.targets(node.term, frame))
        if met.of_library:
            return state
        if met.spoiled is None:
            kept = [self._kept_by(each, frame) for each in given if isinstance(each, (Self, Param))] if asked else ()
            met.spoiled = self._spoiled(node.term, met.handed.union(*kept), frame)
        if not met.spoiled or not state.known.keys().isdisjoint(self.identities.of(callee, frame)):
            return state  # nobody got a model, or it is a pass of the model itself
        return state.doubted(met.spoiled)

    def _is_chosen(self, call: Call) -> bool:
        return _is_chosen(call, self._evaluates | self._trains)

    def _remade(self, target: FunctionValue, state: State) -> State:
        """The state after a function that is not gone into: the models that are made in it are others than before."""
        places = self.identities.places
        if not any(isinstance(key, Allocation) for key in state.known):
            return state
        run = self.program.ask_of(_run_by, (target.module, target.function))
        made = [key for key in state.known if key in places and id(places[key]) in run]
        return state.begun(frozenset(made)) if made else state

    def _spoiled(self, call: Call, given: Keys, frame: Context) -> Keys:
        """The models that a callee out of sight may set a mode of: those that it is handed, and those that its object holds."""
        if not isinstance(call.callee, Attr) or call.callee.name in self._ordinary:
            return given
        holder = call.callee.base
        if self._is_stored(holder, call.callee.name, frame):
            return given
        made = [(each.term, each.frame) for each in self.program.values(holder, frame) if isinstance(each, Unresolved)]
        inside = [self.identities.of(part, at) for term, at in made if isinstance(term, Call) for part in term.args]
        return given.union(self._given(holder, frame), self.identities.of(holder, frame), *inside)

    def _is_stored(self, holder: Term, name: str, frame: Context) -> bool:
        """Whether what is called is kept by an object of the project, and no method of it: it does not run on the object."""
        frames = [frame] if frame.caller is not None else calling_contexts(self.program, frame.module, frame.function)
        values = [value for each in frames for value in self.program.values(holder, each)]
        return bool(values) and all(
            isinstance(each, Instance)
            and self.program.method(ClassValue(each.module, each.cls), name) is None
            and any(True for _ in self.program.stores(ClassValue(each.module, each.cls), name))
            for each in values
        )

    def _kept_by(self, term: Term, frame: Context) -> Keys:
        """The models that an object of the project keeps in its attributes."""
        objects = (value for value in self.program.values(term, frame) if isinstance(value, Instance))
        return NOTHING.union(*(self.program.ask_of(_kept, value) for value in objects))

    def _concerns(self, met: _Met, frame: Context, callee: Term) -> bool:
        """Whether a model is among what a function is given, or is kept by it, one that is trained or whose mode was set."""
        owner: tuple[Term, ...] = ()
        if self.switched and isinstance(callee, Attr) and not isinstance(callee.base, Self):
            on = {(held.module, held.cls) for each in met.targets or () if isinstance(held := each.receiver, Instance)}
            prepared = any(self.program.ask_of(_prepares, each) for each in on)
            owner = (callee.base,) if prepared else ()
        for number, each in enumerate((*(met.given or ()), *owner)):
            if number == len(met.held):
                met.held.append((self.identities.of(each, frame), self._kept_by(each, frame)))  # a trainer keeps one
            given, kept = met.held[number]
            known = (self.switched, self.program.ask(trained), self.program.ask(_holding_trained))
            if not all(each.isdisjoint(given | kept) for each in known) or not self.program.ask(put_to_evaluation).isdisjoint(
                kept
            ):
                return True
        return False

    def _leads(self, target: FunctionValue) -> bool:
        """Whether a function sets modes or computes gradients, itself or in what it calls."""
        return self._says(target.module, target.function, self._leading)

    def _says(self, module: str, function: Function, names: frozenset[str]) -> bool:
        """Whether a function calls one of these, or sets a mode otherwise, itself or in what it calls."""
        if self.program.ask(Loops).function_says(module, function, names):
            return True
        run = self.program.ask_of(_run_by, (module, function)) if self._otherwise else ()
        return not self._otherwise.isdisjoint(run)

    def _is_own(self, target: FunctionValue, frame: Context) -> bool:
        """Whether a method runs on the same object, and that is something that holds models, not a model."""
        own = target.receiver is not None and target.receiver == frame.owner()
        return own and not of_module(self.program, target.module, target.function)

    def _function(self, target: FunctionValue, call: Call, frame: Context, state: State) -> State | None:
        target = self._wrapper(target, frame) or target
        inner = self.program.enter(target, call, frame)
        around, self.frame = self.frame, inner
        after = self.behind(lambda: self.block(target.function.body, state), "return")
        self.frame = around
        return after

    def _wrapper(self, target: FunctionValue, frame: Context) -> FunctionValue | None:
        """What a decorator of the project puts in a function's place, if that sets modes around it; the first not running yet."""
        for wrapper in self.program.ask(Decorated).wrappers(target.module, target.function):
            sets = wrapper.function.name in self._setting or self._mentions(wrapper)
            if sets and frame.follows(wrapper.function):
                return wrapper
        return None

    def _mentions(self, wrapper: FunctionValue) -> bool:
        return self._says(wrapper.module, wrapper.function, self._evaluates | self._trains)

    def _switches(self, item: Term, frame: Context) -> bool:
        """Whether a context manager of the project sets modes."""
        begins = (each.begins for each in self.index.managed(item, frame))
        return any(each is not None and self._mentions(each) for each in begins)


def is_comprehension(loop: Loop) -> bool:
    """Whether a loop binds no names in its function."""
    return not loop.names and loop.kind != "while"


def _is_chosen(call: Call, modes: frozenset[str]) -> bool:
    """``getattr(model, phase)()``: a method of an object that may be one of these; not of a library, nor of another name."""
    if not isinstance(call.callee, Call) or last_name(call.callee.callee) != "getattr":
        return False
    given = call.callee.args
    if given and isinstance(given[0], (Ref, Const)):
        return False
    return not (len(given) > 1 and isinstance(given[1], Const) and given[1].value not in modes)


def _setting_otherwise(program: Program) -> frozenset[int]:
    """The functions (by their id) that choose by its name which method of something sets a mode, or write its flag."""
    modes, flags = program.knowledge.evaluates | program.knowledge.ends_evaluation, program.knowledge.mode_flags
    choosing = frozenset(id(site.function) for site in program.ask(CallGraph).results if _is_chosen(site.call.term, modes))
    return choosing.union(
        id(function)
        for _, function in program.functions()
        for node in of_kind(function, Store)
        if isinstance(node.target, Attr) and node.target.name in flags
    )


def _holding_trained(program: Program) -> Keys:
    """What functions are given that nobody is seen to make, and of which they train a part: ``context.model``."""
    wholes = (each.whole for each in program.ask(trained) if isinstance(each, Part))
    return frozenset(each for each in wholes if isinstance(each, Parameter))


def _kept(program: Program, value: Instance) -> Keys:
    """The models that an object keeps in its attributes; a model keeps parts, no models."""
    found: Keys = NOTHING
    if is_module(program, value):
        return found
    asked = program.ask(Identities)
    for module, function, kept in program.kept_in(ClassValue(value.module, value.cls)):
        found |= asked.of(kept, program.instance_frame(value, module, function))
    if value.cls.fields and value.call is not None and value.frame is not None:  # of a dataclass what it was given
        for kept in (*value.call.args, *(each for _, each in value.call.kwargs)):
            found |= asked.of(kept, value.frame)
    return found.union(*(sources(program, each) for each in found))


def _prepares(program: Program, about: tuple[str, Class]) -> bool:
    """Whether an object of a class sets the mode of a model when it is constructed, for its methods to run."""
    made = [program.method(ClassValue(*about), name) for name in CONSTRUCTS]
    asked, names = program.ask(Loops), program.knowledge.evaluates
    return any(asked.function_says(*each, names) for each in made if each is not None)


def _run_by(program: Program, about: tuple[str, Function]) -> frozenset[int]:
    """The functions (by their id) that a function of a file runs, itself among them, as far as its calls are followed."""
    return frozenset(id(function) for _, function in functions_run(program, about))


def _is_last(condition: Term) -> bool:
    """``epoch == epochs - 1``: no round follows."""
    if isinstance(condition, BoolOp):
        return any(_is_last(part) for part in condition.operands)
    sides = condition.sides if isinstance(condition, Compare) and condition.op == "Eq" else ()
    return any(isinstance(side, BinOp) and side.op == "Sub" for side in sides)


def runs(program: Program, *, evaluating: bool) -> Iterator[tuple[Context, Loop, Run]]:
    """The loops that may train, inner ones first; ``evaluating``: only those that may put something into evaluation mode."""
    asked, knowledge = program.ask(Loops), program.knowledge
    for path, function in list(program.functions()):
        for loop in reversed(of_kind(function, Loop)):
            if not asked.says(path, function, loop.body, knowledge.training):
                continue
            if evaluating and not asked.says(path, function, loop.body, knowledge.evaluates | knowledge.ends_evaluation):
                continue  # `train(False)` sets it, too
            yield from ((frame, loop, run) for frame, run in _activated(program, path, function, loop))


def whole_runs(program: Program) -> Iterator[tuple[Context, Run]]:
    """The functions that train in a loop and do more behind it, each run once from its beginning to its end."""
    asked, training = program.ask(Loops), program.knowledge.training
    for path, function in list(program.functions()):
        body = enumerate(function.body if of_kind(function, Loop) else ())
        trains = [at for at, node in body if isinstance(node, Loop) and asked.says(path, function, node.body, training)]
        if trains and any(isinstance(node, (Loop, With, CallStep)) for node in function.body[trains[0] + 1 :]):
            yield from _activated(program, path, function, None)


def _activated(program: Program, path: str, function: Function, loop: Loop | None) -> Iterator[tuple[Context, Run]]:
    """The run of a function on its own, and as each caller runs it where one pass may be that of several models.

    Scripts that share a trainer hand it a model each; of a base class each class that is derived from it has its own steps.
    """
    own, asked = program.frame(path, function), program.ask(Runs)
    run = asked.of(own, loop)
    if run is None:
        return
    yield own, run
    others = list(program.ask(Uses).of_classes(own)[1:])
    if any(event.kind == PASS and len(event.keys) > 1 for event in run.events):
        others += [each for each in calling_contexts(program, path, function) if each is not own]
    yield from ((frame, run) for frame in others if (run := asked.of(frame, loop)) is not None)


class Runs:
    """The runs of a program, each made once."""

    def __init__(self, program: Program) -> None:
        self._program = program
        #: By the id of a loop, or of a function: those that say the same are equal; and what has run before.
        self._known: dict[tuple[int, Context, Run | None], Run | None] = {}
        self.given_up: dict[int, GivenUp] = {}

    def of(self, frame: Context, loop: Loop | None, earlier: Run | None = None) -> Run | None:
        """The run of a loop, or of a whole function, behind an earlier one; None where it is too long."""
        key = (id(loop or frame.function), frame, earlier)
        if key not in self._known:
            try:
                self._known[key] = Run(self._program, frame, loop, earlier)
            except TooMany:
                self._known[key] = None
                limit = "one iteration runs too many statements"
                about = "the mode of its models"
                self.given_up[id(frame.function)] = GivenUp(frame.module, frame.function, limit, about, aside=True)
        return self._known[key]
