"""Which functions may do a part of a training step, themselves or in what they call: by names alone, so that all others are passed by."""

from __future__ import annotations

from trainlint.facts.calls import CallSite, calls, last_name
from trainlint.facts.program import Program
from trainlint.facts.steps.things import named, things
from trainlint.model.sketch import Function, Keep, Store
from trainlint.model.terms import Term
from trainlint.model.walk import of_kind

#: Methods that many other things have, too: they count where their object is a part of a step.
COMMON = ("step", "update", "scale")
#: How many parts of ``a.b.c()`` are looked at.
_DEEPEST = 6


class Reach:
    """Answers for one program, by names."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        self.index = calls(program)
        self._names = frozenset(name.rpartition(".")[2] for name in self.knowledge.step_calls)
        self._functions: set[int] = set()
        self._leading: set[str] = set()
        self._objects = False
        self._close(self._seeds())

    def leads(self, function: Function) -> bool:
        """Whether a function may do a part of a step."""
        return id(function) in self._functions

    def may_lead(self, call: Term) -> bool:
        """Whether a call may do, or run, a part of a step."""
        name = last_name(call[1]) or ""
        if name in self._names or name in self._leading or "zero_grad" in name:
            return True
        if name.endswith("_") and call[1][0] == "a":
            return True
        if call[1][0] in ("a", "p", "sub", "elem", "call") and self._objects:
            return call[1][0] != "a" or call[1][1][0] in ("self", "p", "a", "g")
        return self._handed(call) or not self.knowledge.step_hooks.isdisjoint(words_of(call[1]))

    def _handed(self, call: Term) -> bool:
        """Whether something out of sight is given a thing that takes part in a step."""
        return any(part[0] in ("p", "a", "g", "lv", "self", "call") and self._speaks(part) for part in call[2])

    def _speaks(self, term: Term) -> bool:
        return term[0] == "self" or named(self.knowledge, term) in ("optimizer", "scaler", "engine")

    def _seeds(self) -> list[CallSite]:
        found: list[CallSite] = []
        for name in self._names:
            found += [site for site in self.index.sites.get(name, ()) if name not in COMMON or self.steps(site)]
        found += [site for name, sites in self.index.sites.items() if "zero_grad" in name and name not in self._names for site in sites]
        return found

    def steps(self, site: CallSite) -> bool:
        """Whether ``x.step()``, ``x.update()``, ``x.scale(loss)`` is called on an optimizer, a scheduler or a scaler, or what is called so."""
        callee = site.call.term[1]
        if callee[0] != "a":
            return False
        if callee[2] == "scale":
            return named(self.knowledge, callee[1]) == "scaler" or self._kind(callee[1], site) == "scaler"
        if named(self.knowledge, callee[1]) != "unknown":
            return True
        if callee[2] != "step":
            return callee[1][0] == "call" and self._kind(callee[1], site) == "scaler"
        return self._kind(callee[1], site) not in ("unknown", "object", "module")

    def _kind(self, term: Term, site: CallSite) -> str:
        return things(self.program).of(term, self.program.frame(site.module, site.function)).kind

    def _close(self, seeds: list[CallSite]) -> None:
        """From the functions that hold a seed to all that may run them."""
        queue = [site.function for site in seeds]
        queue += [function for _, function in self.program.functions() if self._assigns(function)]
        while queue:
            function = queue.pop()
            if id(function) in self._functions:
                continue
            self._functions.add(id(function))
            for name in self._called_as(function):
                if name not in self._leading:
                    self._leading.add(name)
                    queue += [site.function for site in self.index.sites_named(name)]

    def _assigns(self, function: Function) -> bool:
        gradients = self.knowledge.gradient_attributes
        return any(
            node.target[0] == "a" and node.target[2] in gradients
            for kind in (Store, Keep)
            for node in of_kind(function, kind)  # type: ignore[type-var]
        )

    def _called_as(self, function: Function) -> list[str]:
        """The names by which a function may be called; an object is called by any."""
        name = function.name
        if name in ("__call__", "forward") and function.cls is not None:
            self._objects = True
            return [name]
        if name == "__init__" and function.cls is not None:
            return [function.cls.rpartition(".")[2]]
        if function.kind == "module":
            return []
        return [name]


def words_of(callee: Term) -> set[str]:
    """The words in what is called: ``self.callbacks.on_step_end`` has `callbacks`, `on`, `step` and `end`."""
    found: set[str] = set()
    for _ in range(_DEEPEST):
        if callee[0] in ("a", "p", "g", "r"):
            found.update(str(callee[1 if callee[0] in ("g", "r") else 2]).lower().split("_"))
        if callee[0] not in ("a", "call", "sub", "elem"):
            break
        callee = callee[1]
    return found


def reach(program: Program) -> Reach:
    """The reach of a program's training steps (made once)."""
    known = program.analyses.get("step reach")
    if known is None:
        known = program.analyses["step reach"] = Reach(program)
    assert isinstance(known, Reach)
    return known
