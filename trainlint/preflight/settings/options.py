"""The options of a job's command line: what they are when nobody says anything, and what its launch lines say of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

from trainlint.facts.call_graph import last_name
from trainlint.facts.launching.launches import Launch
from trainlint.facts.program import Program
from trainlint.ir.nodes import (
    Access,
    And,
    Attr,
    BinOp,
    BoolOp,
    Call,
    Compare,
    Const,
    Element,
    Global,
    ItemDisplay,
    LoopPhi,
    Not,
    Or,
    Param,
    Ref,
    Select,
    Self,
    Subscript,
    Term,
)
from trainlint.ir.sketch import Block, Exit, Function, If
from trainlint.ir.terms import parts_of
from trainlint.preflight.settings.declared import Declared
from trainlint.preflight.settings.environment import Environment, asked
from trainlint.preflight.settings.needed import bare, is_needed, is_of_file
from trainlint.preflight.settings.offered import Offered, Said
from trainlint.preflight.values.filled import Filled
from trainlint.preflight.values.origins import Origin, Origins, got
from trainlint.preflight.values.unsaid import leaves_of
from trainlint.preflight.values.words import OFF, named_items, words_of
from trainlint.preflight.values.working import compared, made, made_from, worked_out

#: How many calls, attributes, results, one behind the other, a value is followed through.
_DEEPEST = 4
_NOTHING: Said = {}


class Options(Offered):
    """Those of a job, and what its terms come to with them."""

    def __init__(self, program: Program, path: str, launches: Iterable[Launch]) -> None:
        super().__init__(program, path, launches)
        self._answered: dict[Term, tuple[tuple[object] | None, ...]] = {}
        self._following: set[Term] = set()
        self._of_some: dict[frozenset[str], list[Said]] = {}
        self.origins = Origins(program, self._own)
        self._filled = Filled(self.origins)
        self.environment = Environment(program, self.launches, self._own)
        #: The functions (by id) that run, each with the option that it needs, once somebody has found out.
        self._running: Mapping[int, str | None] | None = None
        self._is_spoken_of: Callable[[str, Function], bool] = lambda *_: True
        #: What the parameters of the functions are whose results are looked at, and in which file that stands.
        self._bound: dict[Term, Origin] = {}

    @property
    def required(self) -> tuple[str, ...]:
        """What a command has to say: ``--data DATA``; arguments without hyphens first."""
        running = self._running or {}
        return (
            *(name.upper() for name in bare(self.program, self.path, running)),
            *(
                self.saying(each.name, each.name.upper())
                for each in self.declared.values()
                if is_needed(self.program, self.path, each, running) or each.name in self._needed
            ),
        )

    @cached_property
    def _needed(self) -> frozenset[str]:
        """The options without which the script ends at once: ``assert args.data``."""
        found = set()
        for function in self.program.modules[self.path].functions.values():
            for node in function.body:
                if not isinstance(node, If) or not (_fails(node.body) or _fails(node.orelse)):
                    continue
                parts = [part for part in parts_of(node.condition) if not is_of_file(self.origins, part, self.path)]
                named = {each.name for part in parts if (each := self._of(part)) is not None}
                said = self._value(node.condition, self.path, _NOTHING)
                if len(named) == 1 and said is not None and _fails(node.body if said[0] else node.orelse):
                    found.update(named)
        return frozenset(found)

    # -- what is said of them ----------------------------------------------------------------------------------------

    def is_worked_out(self, term: Term) -> bool:
        """Whether a term is an option whose default is worked out: from the number of processors, mostly."""
        known = self._of(term)
        return known is not None and known.is_worked_out

    def name(self, term: Term, module: str) -> str | None:
        """The option that a term is, or is made from in a way that is off with it."""
        if self._is_device_as_text(term, module):
            return None
        known = self._option(term, module)
        if known is not None:
            return known.name
        variable = self._variable(term, module, _NOTHING)
        if variable is not None:
            self._variables.add(variable)
            return variable
        origins = self._origins(term, module)
        if origins:
            if term in self._following or len(self._following) >= _DEEPEST:
                return None
            self._following.add(term)
            before = self._bind(term, module, origins)
            found = [name for each in origins for name in self._names(each, called=isinstance(term, Call))]
            self._bound = before
            self._following.discard(term)
            if not found and isinstance(term, Attr) and self.origins.is_of_configuration(term.base, term.name):
                self._attributes.add(term.name)
                return term.name
            if found or not isinstance(term, Call):
                return next(iter(found), None)
        inner: tuple[Term, ...] = ()
        if isinstance(term, Not):
            inner = (term.operand,)
        elif isinstance(term, Compare):
            inner = (term.left, term.right)
        elif isinstance(term, Call):
            whole = made_from(term)
            inner = term.args[:1] if whole is None else (whole,)
        elif isinstance(term, Select):
            inner = (term.test, term.then, term.other)
        elif isinstance(term, BoolOp):
            inner = term.operands
        return next((name for each in inner if (name := self.name(each, module)) is not None), None)

    def _option(self, term: Term, module: str) -> Declared | None:
        """The option that a term is; a parameter that all callers fill with what they made is none, whatever it is called."""
        known = self._of(term)
        return None if known is not None and isinstance(term, Param) and self._filled.is_made(term, module) else known

    def _names(self, origin: Origin, *, called: bool) -> Iterator[str]:
        """The options that a value is set behind, or made from; ``called``: it is what a call returns that is asked about."""
        behind = None if called or origin.function is None or self._running is None else self._running.get(id(origin.function))
        tests = [self.name(test, origin.module) for test, _ in origin.tests]
        made = None if origin.value is None else self.name(origin.value, origin.module)
        yield from (name for name in (behind, *tests, made) if name is not None)

    def _origins(self, term: Term, module: str) -> tuple[Origin, ...]:
        """Where a value comes from that is no option itself; nothing where that is not known."""
        if term in self._bound:
            return (self._bound[term],)
        if isinstance(term, Param):
            return self.origins.passed(term, module)
        if isinstance(term, Attr):
            return self.set_to(term.base, term.name, module)
        if isinstance(term, (Element, Subscript)):
            return self.origins.items(term, module) or self.origins.of_several(term, module)
        if isinstance(term, Call):
            asked = got(term)
            return self.origins.returned(term, module) if asked is None else self.set_to(term.args[0], asked, module)
        return ()

    def _variable(self, term: Term, module: str, said: Said) -> str | None:
        """The variable of the environment that a term asks for; None for one that somebody may set."""
        question = asked(term)
        name = None if question is None else self._value(question.name, module, said)
        if name is None or not isinstance(name[0], str) or self.environment.is_set(name[0]):
            return None
        return name[0]

    def _bind(self, call: Term, module: str, origins: tuple[Origin, ...]) -> dict[Term, Origin]:
        """Take up what a call passes for the parameters of the function that returns these; what was known before."""
        before = self._bound
        if isinstance(call, Call) and origins[0].function is not None and got(call) is None:
            self._bound = {**before, **self.origins.bound(call, module, origins[0])}
        return before

    def set_to(self, base: Term, name: str, module: str) -> tuple[Origin, ...]:
        """What an attribute is set to: one of the object's own; of others only where that is made from an option."""
        found = self.origins.set_to(base, name, module)
        if found and self.origins.is_of_configuration(base, name):
            return found
        if not isinstance(base, Self) and not all(each.value is not None and self._is_made(each) for each in found):
            return ()
        return found

    def _is_made(self, origin: Origin) -> bool:
        """Whether a value is made from options, directly."""
        return origin.value is not None and any(self._of(part) is not None for part in parts_of(origin.value))

    def learn(self, running: Mapping[int, str | None], is_spoken_of: Callable[[str, Function], bool]) -> None:
        """Take up which functions run (by id), each with the option that it needs; of others, which may be run at all."""
        self._running = running
        self._is_spoken_of = is_spoken_of
        self._answered.clear()

    def is_never(self, test: Term, arm: bool, module: str) -> bool:
        """Whether an attribute that only ever gets one value keeps a test from leading this way, whatever options say."""
        if self.name(test, module) is not None or not any(
            (isinstance(part, Attr) and isinstance(part.base, Self)) or self._is_device_as_text(part, module)
            for part in parts_of(test)
        ):
            return False
        return all(said is not None and bool(said[0]) is not arm for said in self._answers(test, module))

    def default(self, term: Term, module: str) -> tuple[object] | None:
        """What a term is with the options that each launch line says, or without any; None when that is not known, or differs."""
        found = self._answers(term, module)
        return found[0] if all(each == found[0] for each in found) else None

    def is_on(self, term: Term, module: str) -> bool | None:
        """Whether a term switches something on with what each launch line says; None when that is not known, or differs."""
        found = {None if each is None else each[0] not in OFF for each in self._answers(term, module)}
        return found.pop() if len(found) == 1 else None

    def is_off_with_some(self, term: Term, module: str) -> bool:
        """Whether a term switches nothing on with some of the launch lines."""
        return any(each is not None and each[0] in OFF for each in self._answers(term, module))

    def _answers(self, term: Term, module: str) -> tuple[tuple[object] | None, ...]:
        known = self._answered.get(term)
        if known is None:
            parts = tuple(parts_of(term))
            named = {each.name for part in parts if (each := self._of(part)) is not None and each.name in self._given}
            if any(self._of(part) is None and self._origins(part, module) for part in parts):
                named = set(self._given)
            known = self._answered[term] = tuple(self._value(term, module, said) for said in self._saying(frozenset(named)))
        return known

    def _saying(self, named: frozenset[str]) -> list[Said]:
        """What the launch lines say of some options, each once: there may be hundreds of lines, and as many options."""
        known = self._of_some.get(named)
        if known is None:
            known = self._of_some[named] = []
            for said in self._said:
                some = {name: said[name] for name in said.keys() & named}
                if some not in known:
                    known.append(some)
        return known

    def _value(self, term: Term, module: str, said: Said) -> tuple[object] | None:
        if isinstance(term, Const):
            return (term.value,)
        option = self._option(term, module) if isinstance(term, (Access, Param, Call, Ref)) else None
        if option is not None:
            return said[option.name] if option.name in said else self._set.get(option.name, option.default)
        # made by a name mostly: not seen to run
        if isinstance(term, Attr) and self.origins.is_of_configuration(term.base, term.name):
            values = [self._value(each.value, module, said) for each in self._origins(term, module) if each.value is not None]
            return values[0] if values and all(each == values[0] for each in values) else None
        if isinstance(term, (Param, Access, Element)):
            return self._one_of(term, module, said)
        if isinstance(term, Not):
            inner = self._value(term.operand, module, said)
            return None if inner is None else (not inner[0],)
        if isinstance(term, BoolOp):
            return self._joined(term, module, said)
        if isinstance(term, Select):
            condition = self._value(term.test, module, said)
            return None if condition is None else self._value(term.then if condition[0] else term.other, module, said)
        if isinstance(term, (Call, Compare)) and (question := asked(term)) is not None:
            if self._variable(term, module, said) is None:
                return None
            if question.whether:
                return (isinstance(term, Compare) and term.op == "NotIn",)
            return (None,) if question.instead is None else self._value(question.instead, module, said)
        if isinstance(term, Call) and (whole := made_from(term)) is not None:
            return made(term, self._value(whole, module, said))
        if isinstance(term, Call) and len(term.args) == 2 and last_name(term.callee) in ("isinstance", "hasattr"):  # noqa: PLR2004
            return (False,) if self._value(term.args[0], module, said) == (None,) else None
        if isinstance(term, Call):
            return self._one_of(term, module, said)
        if isinstance(term, Compare):
            return self._compared(term, module, said)
        return (
            worked_out(term.op, self._value(term.left, module, said), self._value(term.right, module, said))
            if isinstance(term, BinOp)
            else None
        )

    def _one_of(self, term: Term, module: str, said: Said) -> tuple[object] | None:
        """What all calls pass for a parameter, or all that sets an attribute; what leads back to itself is not known."""
        origins = self._origins(term, module)
        if not origins or term in self._following or len(self._following) >= _DEEPEST:
            return None
        self._following.add(term)
        before = self._bind(term, module, origins)
        kept = [each for each in origins if not self._is_idle(each, said, called=isinstance(term, Call))]
        if isinstance(term, Attr) and any(not self._is_running(each) for each in kept):
            kept = []
        values = [None if each.value is None else self._value(each.value, each.module, said) for each in kept]
        self._bound = before
        self._following.discard(term)
        return values[0] if values and all(each == values[0] for each in values) else None

    def _is_idle(self, origin: Origin, said: Said, *, called: bool = False) -> bool:
        """Whether nothing comes from there with what is said: it stands behind an option that is off, or a test.

        ``called``: it is what a call returns that is asked about, and behind what else the function runs decides nothing.
        """
        function, running = (None, None) if called else (origin.function, self._running)
        if running is not None and function is not None and id(function) not in running:
            if not self._is_spoken_of(origin.module, function):
                return True
        elif running is not None and running.get(id(function)) is not None:
            return True
        found = [(self._value(test, origin.module, said), arm) for test, arm in origin.tests]
        return any(value is not None and bool(value[0]) is not arm for value, arm in found)

    def _is_running(self, origin: Origin) -> bool:
        """Whether what sets an attribute is seen to run; before anybody has found out, all of it may."""
        return self._running is None or origin.function is None or id(origin.function) in self._running

    def _compared(self, term: Compare, module: str, said: Said) -> tuple[object] | None:
        if self._is_device_as_text(term, module):
            return (term.op == "NotEq",)
        left = self._value(term.left, module, said)
        if left is None or (left == (None,) and self.configurations.is_left_out(term.left)):
            return None  # what has to be there is chosen among several, and something ends the job where it is not
        if term.op in ("In", "NotIn") and isinstance(term.right, ItemDisplay) and type(term.right.items) is tuple:
            items = [self._value(each, module, said) for each in term.right.items]
            return None if None in items else ((left in items) is (term.op == "In"),)
        right = self._value(term.right, module, said)
        if right is not None and term.op in ("In", "NotIn") and isinstance(left[0], str) and isinstance(right[0], str):
            return ((left[0] in right[0]) is (term.op == "In"),)
        return None if right is None else compared(term.op, left[0], right[0])

    def _is_device_as_text(self, test: Term, module: str) -> bool:
        """Whether a device of PyTorch is compared with a text, which it is not, whatever it is called: ``device == "cuda"``."""
        if not isinstance(test, Compare) or test.op not in ("Eq", "NotEq"):
            return False
        return any(_is_text(text) and self._is_device(other, module) for text, other in (test.sides, test.sides[::-1]))

    def _is_device(self, term: Term, module: str) -> bool:
        """Whether a value is a ``torch.device``, wherever it comes from."""
        if isinstance(term, Call) and isinstance(term.callee, Ref) and term.callee.name == "torch.device":
            return True
        if isinstance(term, Select):
            return self._is_device(term.then, module) and self._is_device(term.other, module)
        if isinstance(term, Global):
            known = self.program.modules[module]
            value = known.names.get(term.name) if term.name not in known.rebound else None
            return value is not None and self._is_device(value, module)
        if term in self._following or len(self._following) >= _DEEPEST:
            return False
        self._following.add(term)
        origins = [each for each in self._origins(term, module) if not self._is_idle(each, _NOTHING, called=True)]
        found = bool(origins) and all(each.value is not None and self._is_device(each.value, each.module) for each in origins)
        self._following.discard(term)
        return found

    def _joined(self, term: BoolOp, module: str, said: Said) -> tuple[object] | None:
        found = [self._value(each, module, said) for each in term.operands]
        deciding = isinstance(term, Or)
        if any(each is not None and bool(each[0]) is deciding for each in found):
            return (deciding,)
        return None if None in found else (not deciding,)

    def in_other_rounds(self, test: Term, module: str) -> str | None:
        """The option without which a test holds in the last round alone: ``step == steps or (args.every > 0 and …)``."""
        if not isinstance(test, Or):
            return None
        others = [each for each in test.operands if not _is_last(each)]
        off = all(said is not None and not said[0] for each in others for said in self._answers(each, module))
        if not off or not others or len(others) == len(test.operands):
            return None
        return self._deciding(others[0], module)

    def _deciding(self, test: Term, module: str) -> str | None:
        """The option that alone keeps a test from holding: of several that are joined, the one whose part does not."""
        if isinstance(test, And):
            parts = [
                each for each in test.operands if all(said is not None and not said[0] for said in self._answers(each, module))
            ]
            return next((name for each in parts if (name := self.name(each, module)) is not None), None)
        return self.name(test, module)

    def off(self, test: Term, arm: bool, module: str) -> str | None:
        """The option without which a test does not lead this way; None where it does, or nobody knows.

        With launch lines: where it leads another way unless something is said, each of them has to say it, else one.
        """
        leads = [said is None or bool(said[0]) is arm for said in self._answers(test, module)]
        unsaid = self._value(test, module, _NOTHING)
        if all(leads) or (any(leads) and (unsaid is None or bool(unsaid[0]) is arm)):
            return None
        name = self.name(test, module)
        return None if name in self._needed else name


def _fails(block: Block) -> bool:
    return bool(block) and isinstance(block[-1], Exit) and block[-1].kind in ("raise", "exit")


def _is_text(term: Term) -> bool:
    return bool(isinstance(term, Const) and isinstance(term.value, str))


def _is_last(test: Term) -> bool:
    """Whether a test asks whether this is a certain round of a loop, and not one of many: ``step == steps - 1``."""
    return bool(
        isinstance(test, Compare)
        and test.op in ("Eq", "GtE")
        and any(isinstance(each, (LoopPhi, Element)) for each in parts_of(test.left))
        and not any(isinstance(each, BinOp) and each.op == "Mod" for each in parts_of(test.left))
        and not isinstance(test.right, Const)
    )


def words_asked(program: Program, options: Options, test: Term, path: str) -> Iterator[str]:
    """The words of a test, and of what the attributes that it asks are always set to: ``self.saves = rank == 0``."""
    yield from words_of(program, path, test)
    yield from named_items(program.modules[path], test)
    for each in leaves_of(test):
        origins = options.set_to(each.base, each.name, path) if isinstance(each, Attr) else ()
        found = [
            frozenset(words_of(program, origin.module, origin.value))
            for origin in origins
            if origin.value is not None and not isinstance(origin.value, Const)
        ]
        yield from frozenset.intersection(*found) if found else ()
