"""Does it matter in which mode a model runs? Dropout and batch norm compute something else when they train."""

from __future__ import annotations

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.contexts import activations
from trainlint.facts.modes.identity import Identities, Key
from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance, Library, Made, Other
from trainlint.ir.nodes import Attr, Call, Const, Dict, LoopPhi, Param, SequenceDisplay, Term, Unknown

#: Functions that are read for one model, and steps from a parameter to those who pass it.
_MOST, _DEEPEST = 60, 3
#: Activations deeper than this are not gone into.
_FARTHEST = 12
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
        self._objects: dict[Instance | Made, bool | None] = {}

    def has(self, key: Key, depth: int = _DEEPEST) -> bool | None:
        """Whether a model has layers that tell training from evaluation."""
        maker = self.identities.makers.get(key)
        if maker is not None:
            return self._of_object(maker)
        if key in self.identities.parameters and depth > 0:
            holder, term = self.identities.parameters[key]
            found: set[bool | None] = set()
            for frame in activations(self.program, holder.module, holder.function):
                keys = self.identities.of(term, frame) - {key}
                found |= {self.has(each, depth - 1) for each in keys} or {None}
            return found.pop() if len(found) == 1 else True if True in found else None
        return None

    def tells(self, name: str, call: Call | None, frame: Frame) -> bool:
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

    def _is_zero(self, rate: Term, frame: Frame) -> bool:
        """Whether so much is dropped: nothing."""
        values = self.program.values(rate, frame)
        return bool(values) and all(
            isinstance(each, Other) and isinstance(each.term, Const) and not each.term.value for each in values
        )

    def _of_object(self, made: Instance | Made) -> bool | None:
        if made not in self._objects:
            self._objects[made] = None
            self._objects[made] = _Parts(self, made).tell()
        return self._objects[made]


class _Parts:
    """What a model is made of: the calls of its constructor, and of what that is given, and which functions its pass calls."""

    def __init__(self, asked: Moded, made: Instance | Made) -> None:
        self.asked, self.program = asked, asked.program
        #: Whether something tells training from evaluation, and whether a part is out of sight.
        self.found = False
        self.unseen = False
        self._queue: list[Frame] = []
        #: Functions of which all calls were read (so what is made there was seen), and what is asked about once they are.
        self._read: set[int] = set()
        self._filling: set[int] = set()
        self._called: dict[Instance | Made, None] = {}
        self._begun: set[Instance | Made] = set()
        self._begin(made)

    def tell(self) -> bool | None:
        """Whether the mode matters; None where nobody can say."""
        seen: set[tuple[int, Term | None]] = set()
        while (self._queue or self._called) and len(seen) < _MOST and not self.found:
            if not self._queue:
                one, _ = self._called.popitem()
                if one.frame is None or id(one.frame.function) not in self._read:
                    self._begin(one)
                continue
            frame = self._queue.pop(0)
            if (id(frame.function), frame.call) not in seen and frame.depth <= _FARTHEST:
                seen.add((id(frame.function), frame.call))
                self._read.add(id(frame.function))
                for node in calls_of(frame.function):
                    self._call(node.term, frame)
        unseen = self.unseen or self._queue or self._called or self._filling - self._read
        return True if self.found else None if unseen else False

    def _begin(self, one: Instance | Made) -> None:
        if one in self._begun:
            return
        self._begun.add(one)
        if isinstance(one, Made):
            self._library(one)
            return
        for name in ("__init__", "forward"):
            method = self.program.method(ClassValue(one.module, one.cls), name)
            self._queue.extend([self.program.instance_frame(one, *method)] if method is not None else [])
        bases = self.program.lineage(ClassValue(one.module, one.cls))
        self.unseen = self.unseen or any(isinstance(each, Library) and not each.name.startswith(_KNOWN) for each in bases)
        self._given(one)

    def _library(self, made: Made) -> None:
        """An object of a library: a layer, or a container of what it is given; nobody can look into another one."""
        if made.frame is not None and self.asked.tells(made.name, made.call, made.frame):
            self.found = True
        elif not made.name.startswith(self.program.knowledge.written["layers"]):
            self.unseen = True
        else:
            self._given(made, whole=made.name in self.program.knowledge.tables["unused_search.holds"]["names"])

    def _given(self, one: Instance | Made, *, whole: bool = False) -> None:
        """What a constructor is given may be modules; ``whole``: it is, if it is anything."""
        if one.call is None or one.frame is None:
            return
        for term in (*one.call.args, *(value for _, value in one.call.kwargs)):
            self._value(term, one.frame, whole=whole)

    def _value(self, term: Term, frame: Frame, *, whole: bool, depth: int = _DEEPEST) -> None:
        for value in self.program.values(term, frame):
            if isinstance(value, (Instance, Made)):
                if isinstance(value, Instance) or whole or value.name.startswith(self.program.knowledge.written["layers"]):
                    self._begin(value)
            elif isinstance(value, Other) and depth > 0 and isinstance(value.term, (SequenceDisplay, Dict)):
                for item in value.term.values:
                    self._value(item, value.frame, whole=whole, depth=depth - 1)
            elif whole and isinstance(value, Other) and isinstance(value.term, (Unknown, LoopPhi)):
                self._filling.add(id(value.frame.function))  # what is made there is seen if that function is read
            elif whole and not (isinstance(value, Other) and isinstance(value.term, Const)):
                self.unseen = True

    def _call(self, call: Call, frame: Frame) -> None:
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
                elif not frame.runs(target.function):
                    self._queue.append(self.program.enter(target, call, frame))
            elif self.asked.tells(target.name, call, frame):
                self.found = True
            else:
                makes = begins or target.name.rpartition(".")[2][:1].isupper()
                self.unseen = self.unseen or (makes and not target.name.startswith(_KNOWN))

    def _runs(self, callee: Term, frame: Frame) -> None:
        """What a pass calls and what is no function: a module that the model holds, or something that nobody knows."""
        for value in self.program.values(callee, frame):
            if isinstance(value, (Instance, Made)):
                self._called[value] = None
            elif isinstance(value, Other) and (value.term is not callee or isinstance(callee, Param)):
                self.unseen = True
