"""Does it matter in which mode a model runs? Dropout and batch norm compute something else when they train."""

from __future__ import annotations

from trainlint.facts.calls import Calls, calls
from trainlint.facts.contexts import activations
from trainlint.facts.modes.identity import Identities, Key, identities
from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import ClassValue, FunctionValue, Instance, Library, Made
from trainlint.model.sketch import Function
from trainlint.model.terms import Term

#: Functions that are read for one model, and steps from a parameter to those who pass it.
_MOST, _DEEPEST = 60, 3
#: Libraries whose layers are all in the tables.
_KNOWN = ("torch.", "builtins.", "math.", "typing.", "collections.", "copy.", "functools.", "itertools.", "numpy.", "logging.")


class Moded:
    """Answers for one program: yes, no, or None where a part of the model is out of sight."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index: Calls = calls(program)
        self.identities: Identities = identities(program)
        self._classes: dict[int, bool | None] = {}

    def has(self, key: Key, depth: int = _DEEPEST) -> bool | None:
        """Whether a model has layers that tell training from evaluation."""
        maker = self.identities.makers.get(key)
        if isinstance(maker, Instance):
            return self._of_class(ClassValue(maker.module, maker.cls))
        if isinstance(maker, Made):
            return self._of_library(maker)
        if key in self.identities.parameters and depth > 0:
            holder, term = self.identities.parameters[key]
            found: set[bool | None] = set()
            for frame in activations(self.program, holder.module, holder.function):
                keys = self.identities.of(term, frame) - {key}
                found |= {self.has(each, depth - 1) for each in keys} or {None}
            return found.pop() if len(found) == 1 else True if True in found else None
        return None

    def _of_library(self, made: Made) -> bool | None:
        return True if self._tells(made.name, made.call) else None

    def _tells(self, name: str, call: Term | None) -> bool:
        moded = self.program.knowledge.moded
        package = name.rpartition(".")[0]
        if name in moded or package in moded:
            return True
        rate = next((value for key, value in call[3] if key == "dropout"), None) if call is not None else None
        return name.startswith("torch.nn.") and rate is not None and not (rate[0] == "c" and not rate[2])

    def _of_class(self, cls: ClassValue) -> bool | None:
        key = id(cls.cls)
        if key not in self._classes:
            self._classes[key] = None
            self._classes[key] = self._made_of(cls)
        return self._classes[key]

    def _made_of(self, cls: ClassValue) -> bool | None:
        """What the constructor of a class makes, with what it calls, and which functions its forward pass calls."""
        unseen = any(isinstance(each, Library) and not each.name.startswith(_KNOWN) for each in self.program.lineage(cls))
        queue: list[tuple[str, Function]] = []
        for name in ("__init__", "forward"):
            method = self.program.method(cls, name)
            queue += [method] if method is not None else []
        seen: set[int] = set()
        while queue and len(seen) < _MOST:
            module, function = queue.pop(0)
            if id(function) in seen:
                continue
            seen.add(id(function))
            frame = self.program.frame(module, function)
            for node in calls_of(function):
                targets = self.index.targets(node.term, frame)
                unseen = unseen or (not targets and function.name == "__init__" and node.term[1][0] != "a")
                for target in targets:
                    if isinstance(target, FunctionValue):
                        queue.append((target.module, target.function))
                    elif self._tells(target.name, node.term):
                        return True
                    else:
                        unseen = unseen or not target.name.startswith(_KNOWN)
        return None if unseen or queue else False


def moded(program: Program) -> Moded:
    """Whether modes matter to the models of a program (made once)."""
    known = program.analyses.get("moded")
    if known is None:
        known = program.analyses["moded"] = Moded(program)
    assert isinstance(known, Moded)
    return known
