"""What a call passes that may decide what its callee communicates: two calls that pass the same are judged once."""

from __future__ import annotations

from abc import abstractmethod
from itertools import islice

from trainlint.facts.communication import Communication
from trainlint.facts.contents import Contents
from trainlint.facts.program import Program
from trainlint.facts.values import Bound, ClassValue, Frame, FunctionValue, Instance, Made, Other, Value
from trainlint.ir.nodes import Attr, BinOp, Call, Const, Dict, Global, Kwargs, List, Nested, Param, Ref, Subscript, Term, Tuple
from trainlint.spmd.operators import is_own
from trainlint.spmd.questions import ANY
from trainlint.spmd.ranks import Evaluator
from trainlint.spmd.symbols import UNKNOWN, Something

#: Tags of terms that may name a function which is handed over.
_NAMES = frozenset((Global, Nested, Ref, Param, Attr))
#: Items of a list that are looked at for functions.
_MOST_ITEMS = 8


class Passing:
    """The part of :class:`trainlint.spmd.uniform_check.Agreement` that tells calls of one function apart."""

    program: Program
    communication: Communication
    _sample: Evaluator
    _contents: Contents
    #: The calls that make groups of processes, of those that the program has.
    _groups: frozenset[str]
    #: The methods that fill what an object gathers, by its class and the attribute; None for what does not begin empty.
    gathering: dict[tuple[int, str], frozenset[str] | None]

    @abstractmethod
    def consult(self, parameter: str) -> None:
        """A parameter was asked for."""

    def _told(self, frame: Frame, asked: frozenset[str]) -> tuple[object, ...] | None:
        """What a call passes that may decide a test, as a key that equal calls share; None when it passes nothing such.

        That is a constant, something of the rank, a default that is left out; and the same of the call that made the object.
        Only what the function has ``asked`` for counts.
        """
        function = frame.function
        if frame.call is not None and any(name is None and isinstance(value, Kwargs) for name, value in frame.call.kwargs):
            self.consult(ANY)  # what it was given, and hands on
        said: list[object] = []
        all_of_them = ANY in asked
        for name, bound in (*frame.arguments.items(), *frame.surplus.items()):
            if not all_of_them and name not in asked:
                continue
            key = self._passed(bound.term, bound.frame) if isinstance(bound, Bound) else id(bound)
            if key is None and isinstance(bound, Bound):
                key = self._is_given(function.defaults.get(name), bound)
            if key is not None:
                said.append((name, key))
        defaults = (parameter for parameter in function.defaults if all_of_them or parameter in asked)
        left_out = tuple(parameter for parameter in defaults if parameter not in frame.arguments)
        owner = frame.receiver
        made: tuple[object, ...] = ()
        derived = isinstance(owner, Instance) and owner.cls.qualname != function.cls  # its hooks are those of its own class
        if isinstance(owner, Instance):
            made = (id(owner.cls),)
        if isinstance(owner, Instance) and owner.call is None:
            for name in asked:
                self.consult(name)  # what the object was made with, if this is asked in its constructor
        if isinstance(owner, Instance) and owner.call is not None and owner.frame is not None:
            named = (value for name, value in owner.call.kwargs if all_of_them or name is None or name in asked)
            given = (*owner.call.args, *named)
            made = (*made, *(self._passed(term, owner.frame) for term in given))
            if any(cls == id(owner.cls) and fillers is not None for (cls, _), fillers in self.gathering.items()):
                made = (*made, owner.call)  # what it was given since
        if not said and not left_out and frame.open and not derived and all(part is None for part in made[1:]):
            return None
        return (id(function), made, frame.open, left_out, *said)

    def _is_given(self, default: Term | None, bound: Bound) -> str | None:
        """How it is known that no None is passed for a parameter that is None by default: it is something, or is taken to be."""
        if default is None or not isinstance(default, Const) or default.value is not None:
            return None
        if isinstance(self._sample.value(bound.term, bound.frame), Something):
            return "given"
        return "taken to be given" if is_own(bound) else None

    def _passed(self, term: Term, frame: Frame) -> object:
        """What is known of an argument: its value, or which one it is when ranks differ in it; None when unknown."""
        root = term
        while isinstance(root, (Attr, Subscript)):
            root = root.base
        if isinstance(root, Param):
            self.consult(root.name)  # what is passed on may be a matter of who calls the caller
        if self._of_model(term, frame):
            return ("of a model", term, frame)
        if type(term) in _NAMES:
            for given in self.program.values(term, frame):
                if self.communication.talks(given):
                    return ("runs", id(given.function) if isinstance(given, FunctionValue) else given)
        if isinstance(term, (List, Tuple, Dict, Global)):
            runs = self._runs_among(term, frame)
            if runs:
                return ("runs", *runs)
        group = self._group(term, frame)
        if group is not None:
            return ("group", group)
        if self._contents.is_changed(term, frame.function):
            return ("changed", term, frame)
        value, asked = self._sample.evaluate(term, frame)
        if asked:
            return ("of the rank", term, frame)
        return (type(value).__name__, value) if not isinstance(value, UNKNOWN) else None

    def _group(self, term: Term, frame: Frame) -> Term | None:
        """The call that made the group of processes which is passed: what the callee communicates, it does among these."""
        if not self._groups or isinstance(term, Const):
            return None
        made = (value for value in self.program.values(term, frame) if isinstance(value, Made) and value.name in self._groups)
        return next((value.call for value in made), None)

    def _runs_among(self, term: Term, frame: Frame) -> list[object]:
        """What communicates among the items of a list, tuple or dict that is passed."""
        found: list[object] = []
        for whole in self.program.values(term, frame):
            if not isinstance(whole, Other):
                continue
            display = whole.term
            if not isinstance(display, (List, Tuple, Dict)) or type(display.items) is not tuple:
                continue
            parts = (value for _, value in display.items) if isinstance(display, Dict) else display.items
            for part in islice(parts, _MOST_ITEMS):
                if type(part) in _NAMES or isinstance(part, Call):
                    found += [part for value in self.program.values(part, whole.frame) if self._may_run(value)]
        return found

    def _may_run(self, value: Value) -> bool:
        """Whether a value is a function that communicates, or an object with a method that does."""
        if isinstance(value, Instance):
            owners = [base for base in self.program.lineage(ClassValue(value.module, value.cls)) if isinstance(base, ClassValue)]
            methods = (
                self.program.modules[owner.module].functions.get(name) for owner in owners for name in owner.cls.methods.values()
            )
            return any(method is not None and self.communication.runs(method) for method in methods)
        return self.communication.talks(value)

    def _of_model(self, term: Term, frame: Frame) -> bool:
        """Whether an argument is a model that all ranks train, or a loss of one: calls with it may communicate in the callee."""
        models = self.communication.parallel
        if not self.communication.unnamed or isinstance(term, (Const, Ref)):
            return False
        return bool(models.kinds(term, frame)) or (
            isinstance(term, (Call, BinOp, Param, Attr, Subscript)) and models.trained(term, frame)
        )
