"""Names and attributes that functions set for others: of their file, of another file, of an object, of a function around.

And whether they are set before somebody asks. ``prepare()`` asks for ``LEADER``, and ``setup()``, called further down in the
same function, sets it by the rank: ``prepare`` sees what it was before. Both are followed upwards, as long as one function makes
all the calls, to a function that comes to both. Where it, or one of its callers, is run more than once, the second time sees
what the first one left.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from trainlint.domains.constructor_arguments import led_to
from trainlint.ir.control_dependence import Tests, conditions
from trainlint.ir.nodes import Const, Ref, Term
from trainlint.ir.order import Place as Step
from trainlint.ir.order import before, loops_around, order, repeated_by
from trainlint.ir.sketch import Function
from trainlint.program.call_graph import CallGraph
from trainlint.program.heap import item_of
from trainlint.program.program import Program
from trainlint.program.values import Argument, ClassValue, Context, Instance, ModuleValue, Unresolved, Value
from trainlint.spmd.attribute_stores import Setting, Settings
from trainlint.spmd.heap_state import UNSET
from trainlint.spmd.questions import Place
from trainlint.spmd.symbols import UNKNOWN, Something, Uniform, Varying, is_per_rank

if TYPE_CHECKING:
    from trainlint.spmd.ranks import Evaluator

#: Stands for what a rank was left with that only some ranks changed, and nobody can say how.
_OPEN = Something("changed on some ranks")
#: Stands for what nobody sets.
_NOTHING = Something("not set")
#: Names that are worked out within one another.
_DEEPEST = 3
#: Names that are worked out for one question: the settings of a large trainer ask for each other without end.
_MOST = 40


class Working:
    """What is being worked out, by all evaluators of a program, and how many names were for the question that began it."""

    def __init__(self, _program: Program) -> None:
        self.keys: set[object] = set()
        self.done = 0

    def __bool__(self) -> bool:
        return bool(self.keys)

    def has_enough(self) -> bool:
        """Whether nothing more is worked out for this question."""
        return len(self.keys) >= _DEEPEST or (bool(self.keys) and self.done >= _MOST)

    def begin(self, key: object) -> None:
        """A name is being worked out."""
        self.done = self.done + 1 if self.keys else 0
        self.keys.add(key)

    def end(self, key: object) -> None:
        """It is known."""
        self.keys.discard(key)


class RemoteStores:
    """Knows what one rank finds there; ``marking`` is what is being worked out."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.program = evaluator.program
        self.place = evaluator.place
        self.marking = evaluator.program.ask(Working)

    def set_in_file(self, term: Ref, frame: Context) -> Any:
        """A top-level name of another file that functions set, there or from afar; ``UNSET`` where ranks do not differ in it."""
        parent, _, name = term.name.rpartition(".")
        owner = self.program.lookup(frame.module, parent) if parent.strip(".") else None
        if not isinstance(owner, ModuleValue):
            return UNSET
        if self.is_rebound(owner.module, name):
            return self.name_set(owner.module, name, self.program.modules[owner.module].names.get(name))
        return self.member_set(owner, name)

    def member_set(self, owner: ModuleValue, name: str) -> Any:
        """What others set a top-level name of a file to (``state.READY = True``), if ranks differ in it."""
        if not self.program.ask(Settings).of_attribute(owner, name):
            return UNSET
        found = self.program.member(owner, name)
        return self.marked_attribute(owner, name, Argument(found.term, found.frame) if isinstance(found, Unresolved) else None)

    def name_set(self, path: str, name: str, known: Term | None) -> Any:
        """A top-level name that functions of its file set, if ranks differ in it; else ``UNSET``."""
        module = self.program.modules[path]
        first = Argument(known, self.program.frame(path, module.functions["<module>"])) if known is not None else None
        return self.marked(of_name(path, name), first, self.program.ask(Settings).of_name(path, name))

    def marked_attribute(self, holder: Value, name: str, first: Argument | None) -> Any:
        """What functions set an attribute to that is not theirs, if ranks differ in it; else ``UNSET``."""
        return self.marked(of_attribute(name, holder), first, self.program.ask(Settings).of_attribute(holder, name))

    def kept(self, instance: Instance, name: str, own: Sequence[Setting], from_afar: Sequence[Setting] = ()) -> Any:
        """An attribute of an object that its methods and others set, if ranks differ in it; else ``UNSET``.

        Of an object that only some ranks make, the others have no value that could differ.
        """
        if instance.call is not None and instance.frame is not None and not from_afar:
            led = conditions(led_to(instance.frame.function, instance.call))
            if led and self.passes(led, instance.frame)[1]:
                return UNSET
        cls = ClassValue(instance.module, instance.cls)
        attribute = self.program.class_attribute(cls, name)
        first = Argument(attribute[1], attribute[0]) if attribute is not None else None
        if own and own[0].function.name == "__init__" and not own[0].tests:
            frame = self.program.instance_frame(instance, own[0].module, own[0].function)
            first, own = Argument(own[0].value, frame), own[1:]
        return self.marked(of_attribute(name, instance), first, (*own, *from_afar), instance)

    def is_rebound(self, path: str, name: str) -> bool:
        module = self.program.modules.get(path)
        return module is not None and name in module.rebound

    def item_set(self, base: Term, key: Const, frame: Context) -> Any:
        """What functions set an item to that is not theirs, if ranks differ in it; else ``UNSET``."""
        for value in self.program.values(base, frame):
            stores = self.program.ask(Settings).of_item(value, key.value) if isinstance(value, Unresolved) else ()
            if stores and isinstance(value, Unresolved):
                item = item_of(value.term, key)
                first = Argument(item, value.frame) if item is not None else None
                return self.marked(("item", value.term, key), first, stores)
        return UNSET

    def marked(self, key: object, first: Argument | None, stores: Sequence[Setting], owner: Instance | None = None) -> Any:
        """What this rank holds behind all settings, if ranks differ in it; ``UNSET`` where they do not, or nobody knows.

        ``first`` is what was there before, if that is known. Functions that set something are taken to have run.
        """
        if not stores:
            return UNSET
        if key in self.marking.keys or self.marking.has_enough():
            self.evaluator.partial = True
            return UNSET
        done = [store for store in stores if not self._comes_later(store)]
        if len(done) < len(stores):
            key = (key, tuple((store.module, store.step) for store in done))
            stores = done
        known = self.program.ask(_marked)
        found = known.get((key, self.evaluator.tracing))
        if found is None:
            found, complete = self._found(key, first, stores, owner)
            if complete or not self.marking:
                known[key, self.evaluator.tracing] = found
        values = [value for value, _ in found]
        if UNSET in values or not any(asked for _, asked in found):
            return UNSET
        if _NOTHING in values:  # what it is there, nobody here says
            left = {value for value in values if value is not _NOTHING}
            if len(left) != 1 or type(next(iter(left))) is not bool:
                return UNSET
            values = [Uniform(key) if value is _NOTHING else value for value in values]
        here = values[self.evaluator.rank]
        if _OPEN in values:
            if all(value is _OPEN for value in values):
                return UNSET  # none of the ranks surely leaves it as it was
            settled = {value for value in values if value is not _OPEN}
            if owner is not None and any(isinstance(each, UNKNOWN) and not isinstance(each, Something) for each in settled):
                return UNSET  # an object that began with what nobody knows
            self.evaluator.rank_dependent = True
            flag = next(iter(settled)) if len(settled) == 1 else None  # one that the others never change, that is clear enough
            if here is not _OPEN and (owner is not None or type(flag) is bool):
                return here
            return UNSET if owner is not None and type(flag) is not bool else Varying(("not", key) if flag is True else key)
        if not is_per_rank(here) and all(value == here and type(value) is type(here) for value in values):
            return UNSET
        self.evaluator.rank_dependent = True
        return here

    def _comes_later(self, store: Setting) -> bool:
        """Whether something is set further down than it is asked for, by the function that asks or by one called later."""
        if store.step is None:
            return False  # by a method of the object that is asked
        later = set_later(self.program, self.place, store.function, store.step)
        self.evaluator.place_dependent = self.evaluator.place_dependent or later is not None
        return bool(later)

    def _found(
        self, key: object, first: Argument | None, stores: Sequence[Setting], owner: Instance | None
    ) -> tuple[list[tuple[Any, bool]], bool]:
        """What each rank is left with, and whether that depends on the rank; and whether nothing was left open on the way."""
        self.marking.begin(key)
        before = self.evaluator.rank_dependent
        found: list[tuple[Any, bool]] = []
        complete = True
        try:
            for peer in self.evaluator.peers():
                stopped, peer.partial = peer.partial, False
                found.append(peer.stores.left_after(first, stores, owner))
                complete = complete and not peer.partial
                peer.partial = peer.partial or stopped
                if found[-1][0] is UNSET:
                    break
        finally:
            self.marking.end(key)
            self.evaluator.rank_dependent = before
        return found, complete

    def left_after(self, first: Argument | None, stores: Sequence[Setting], owner: Instance | None) -> tuple[Any, bool]:
        """What is left behind the settings on this rank, and whether it depends on the rank which that is.

        ``UNSET`` where something unknown, but the same on all ranks, is put there.
        """
        held: Any = _NOTHING
        ranked = False
        if first is not None:
            held, ranked = self.evaluator.evaluate(first.term, first.frame)
        for store in stores:
            frame = self.program.frame(store.module, store.function)
            if owner is not None and store.step is None:
                frame = self.program.instance_frame(owner, store.module, store.function)
            runs, asked = self.comes_to(store, frame)
            ranked = ranked or asked
            if runs is False:
                continue
            value, differs = self.evaluator.evaluate(store.value, frame)
            if isinstance(value, UNKNOWN) and not isinstance(value, Something) and not differs:
                if not asked:
                    return UNSET, ranked
                value = Something((store.value, frame)) if held is None and owner is None else _OPEN
            elif runs is None and not differs and not asked:
                continue  # what it is in another mode, without other ranks, say
            elif runs is None and asked and held != value:
                value = _OPEN
            held, ranked = value, ranked or differs
        return held, ranked

    def comes_to(self, store: Setting, frame: Any) -> tuple[bool | None, bool]:
        """Whether this rank comes to a setting (None: it may), and whether that depends on the rank."""
        runs, ranked = self.passes(store.tests, frame)
        if runs is False:
            return False, ranked
        led, asked = self.led_to(store.function)
        return (False if led is False else runs if led else None), ranked or asked

    def led_to(self, function: Function) -> tuple[bool | None, bool]:
        """Whether this rank comes to one of the calls of a function (None: it may), and whether that depends on the rank."""
        leading = self.program.ask(Settings).leading(function)
        if not any(tests for _, tests in leading):
            return True, False
        known = self.program.ask_of(_led_to, (self.evaluator.rank, type(self.evaluator), self.evaluator.tracing))
        if function not in known:
            # The tests around its calls may ask what such functions set: to that, it may.
            known[function] = None, False
            known[function] = self._led_by(leading)
        return known[function]

    def _led_by(self, leading: Sequence[tuple[Any, Tests]]) -> tuple[bool | None, bool]:
        ways = [self.passes(tests, caller) for caller, tests in leading]
        ranked = any(asked for _, asked in ways)
        if all(way is False for way, _ in ways):
            return False, ranked
        return True if any(way for way, _ in ways) else None, ranked

    def passes(self, tests: Tests, frame: Any) -> tuple[bool | None, bool]:
        """Whether this rank takes these arms of tests (None: it may), and whether that depends on the rank."""
        runs: bool | None = True
        ranked = False
        for condition, arm in tests:
            value, asked = self.evaluator.evaluate(condition, frame)
            asked = asked and self.evaluator.differs(condition, frame)
            ranked = ranked or asked
            if isinstance(value, UNKNOWN) and not isinstance(value, Something):
                runs = None
            elif (isinstance(value, Something) or bool(value)) != arm:
                return False, ranked
        return runs, ranked


def _marked(_program: Program) -> dict[object, list[tuple[Any, bool]]]:
    """What all evaluators found so far: by the key, and whether the question was what runs next, what is left on each rank."""
    return {}


def _led_to(_program: Program, _about: tuple[int, type[Evaluator], bool]) -> dict[Function, tuple[bool | None, bool]]:
    """What evaluators of a kind found so far for a rank, by function."""
    return {}


def of_attribute(name: str, holder: object) -> tuple[object, ...]:
    """The key of an attribute that is set from afar."""
    return ("attribute", holder, name)


def of_name(path: str, name: str | Term) -> tuple[object, ...]:
    """The key of a name that functions set."""
    return ("name", path, name)


#: For functions one above the other, innermost first: the step in each that leads down (None: its end).
Way = list[tuple[Function, Step | None]]


def set_later(program: Program, asked: Place, setter: Function, store: Step | None) -> bool | None:
    """Whether a store of a function comes behind a place; None where nothing tells which of them is first."""
    frame = asked.frame
    if frame is None:
        return None
    way: Way = []
    while frame is not None:
        way.append((frame.function, asked.step_in(frame)))
        frame = frame.caller
    for function, at in way:
        if function is setter:
            return _is_behind(function, at, store)
    calling = _upwards(program, [(setter, store)], first=True)
    if len(calling) == 1:
        return None
    steps = {id(function): at for function, at in calling}
    for function, at in _upwards(program, way, first=False):
        if id(function) in steps:
            behind = _is_behind(function, at, steps[id(function)])
            return behind and _runs_once(program, function)
    return None


def _is_behind(function: Function, at: Step | None, step: Step | None) -> bool:
    """Whether a step comes behind another one, and not in a loop around both."""
    if at is None or step is None or not before(function, at, step):
        return False
    return set(repeated_by(function, at)).isdisjoint(loops_around(function, step))


def _upwards(program: Program, way: Way, *, first: bool) -> Way:
    """A way with the callers above it, as long as one function makes all the calls: by its first call, or its last."""
    found = list(way)
    while True:
        sites = program.ask(CallGraph).callers(found[-1][0])
        above = {id(site.function): site.function for site in sites}
        if len(above) != 1 or any(function is each for function in above.values() for each, _ in found):
            return found
        function = next(iter(above.values()))
        calls = sorted((site.call for site in sites), key=lambda call: order(function).at(call) or 0)
        found.append((function, calls[0 if first else -1]))


def _runs_once(program: Program, function: Function) -> bool:
    """Whether a function is called in one place at most, which no loop is around, and so are its callers."""
    seen: set[int] = set()
    while id(function) not in seen:
        seen.add(id(function))
        sites = program.ask(CallGraph).callers(function)
        if not sites:
            return True
        if len(sites) > 1 or loops_around(sites[0].function, sites[0].call):
            return False
        function = sites[0].function
    return False
