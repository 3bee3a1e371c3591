"""Does it matter in which mode a model runs? Dropout and batch norm compute something else when they train."""

from __future__ import annotations

from trainlint.facts.calls import Calls, calls
from trainlint.facts.contexts import activations
from trainlint.facts.modes.identity import Identities, Key, identities
from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance, Library, Made, Other
from trainlint.model.terms import Term

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
        self.index: Calls = calls(program)
        self.identities: Identities = identities(program)
        self._objects: dict[Instance, bool | None] = {}

    def has(self, key: Key, depth: int = _DEEPEST) -> bool | None:
        """Whether a model has layers that tell training from evaluation."""
        maker = self.identities.makers.get(key)
        if isinstance(maker, Instance):
            return self._of_object(maker)
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
        return True if made.frame is not None and self._tells(made.name, made.call, made.frame) else None

    def _tells(self, name: str, call: Term | None, frame: Frame) -> bool:
        """Whether a library's call makes, or is, something that tells training from evaluation."""
        moded = self.program.knowledge.moded
        if name not in moded and name.rpartition(".")[0] not in moded:
            rate = next((value for key, value in call[3] if key == "dropout"), None) if call is not None else None
            layer = name.startswith(self.program.knowledge.written["layers"])
            return layer and rate is not None and not self._is_zero(rate, frame)
        if call is None or not name.rpartition(".")[2].lower().endswith(_DROPS):
            return True
        at = 1 if name.startswith("torch.nn.functional.") else 0
        rates = [*call[2][at : at + 1], *(value for key, value in call[3] if key == "p")]
        return not any(self._is_zero(rate, frame) for rate in rates)

    def _is_zero(self, rate: Term, frame: Frame) -> bool:
        """Whether so much is dropped: nothing."""
        values = self.program.values(rate, frame)
        return bool(values) and all(isinstance(each, Other) and each.term[0] == "c" and not each.term[2] for each in values)

    def _of_object(self, made: Instance) -> bool | None:
        if made not in self._objects:
            self._objects[made] = None
            self._objects[made] = self._made_of(made)
        return self._objects[made]

    def _made_of(self, made: Instance) -> bool | None:
        """What the constructor of an object makes, with what it calls, and which functions its forward pass calls."""
        unseen = False
        queue: list[Frame] = []
        seen: set[tuple[int, Term | None]] = set()

        def begin(one: Instance) -> None:
            for name in ("__init__", "forward"):
                method = self.program.method(ClassValue(one.module, one.cls), name)
                queue.extend([self.program.instance_frame(one, *method)] if method is not None else [])

        begin(made)
        unseen = any(
            isinstance(each, Library) and not each.name.startswith(_KNOWN)
            for each in self.program.lineage(ClassValue(made.module, made.cls))
        )
        while queue and len(seen) < _MOST:
            frame = queue.pop(0)
            if (id(frame.function), frame.call) in seen or frame.depth > _FARTHEST:
                continue
            seen.add((id(frame.function), frame.call))
            for node in calls_of(frame.function):
                targets = self.index.targets(node.term, frame)
                unseen = unseen or (not targets and frame.function.name == "__init__" and node.term[1][0] != "a")
                for target in targets:
                    if isinstance(target, FunctionValue):
                        if target.function.name == "__init__" and isinstance(target.receiver, Instance):
                            begin(target.receiver)
                        elif not frame.runs(target.function):
                            queue.append(self.program.enter(target, node.term, frame))
                    elif self._tells(target.name, node.term, frame):
                        return True
                    else:
                        makes = frame.function.name == "__init__" or target.name.rpartition(".")[2][:1].isupper()
                        unseen = unseen or (makes and not target.name.startswith(_KNOWN))
        return None if unseen or queue else False


def moded(program: Program) -> Moded:
    """Whether modes matter to the models of a program (made once)."""
    known = program.analyses.get("moded")
    if known is None:
        known = program.analyses["moded"] = Moded(program)
    assert isinstance(known, Moded)
    return known
