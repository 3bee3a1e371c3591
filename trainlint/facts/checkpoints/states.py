"""Whose state a program takes to save it, and whose it puts back: ``x.state_dict()`` and ``x.load_state_dict(…)``."""

from __future__ import annotations

from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite, last_name
from trainlint.facts.def_use import Uses
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.facts.steps.objects import Thing, Things
from trainlint.ir.nodes import Attr, Call, Dict, List, Select, Self, Subscript, Term, Tuple
from trainlint.ir.sketch import Exit, Keep, Store
from trainlint.ir.terms import parts_of

_SAVES = "save"
#: What may hold a state on its way into a file.
_CONTAINERS = frozenset((Dict, List, Tuple, Select))


class StateCall(NamedTuple):
    """A call that takes the state of a thing, or puts one back."""

    site: CallSite
    thing: Thing


class States:
    """The states of optimizers that a program saves, and those that it restores."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.taking = frozenset(program.knowledge.tables["checkpoints.taken"]["names"])
        self.saved = [each for each in self._calls(self.taking) if self._is_kept(each.site)]
        self.restored = [each for each in self._calls(program.knowledge.takes_weights) if self._is_from_outside(each.site)]

    def _calls(self, names: frozenset[str]) -> list[StateCall]:
        found = []
        for name in sorted(names):
            for site in self.program.ask(CallGraph).sites.get(name, ()):
                if not isinstance(site.call.term.callee, Attr) or tests_software(self.program, site.module, site.function):
                    continue
                if (
                    site.function.name == name
                    and isinstance(site.call.term.callee.base, Attr)
                    and isinstance(site.call.term.callee.base.base, Self)
                ):
                    continue  # an optimizer around another one hands on what it is asked
                thing = self.program.ask(Things).of(site.call.term.callee.base, self.program.frame(site.module, site.function))
                if thing.kind == "optimizer":
                    found.append(StateCall(site, thing))
        return found

    def _is_kept(self, site: CallSite) -> bool:
        """Whether a state goes into a container or into a call that saves: a copy for later in the same run does neither."""
        for parent, _ in self.program.ask(Uses).parents(site.module).of.get(site.call.term, ()):
            if isinstance(parent, (Keep, Exit)):
                return True
            if isinstance(parent, Term) and (type(parent) in _CONTAINERS or (isinstance(parent, Call) and _is_saving(parent))):
                return True
            if isinstance(parent, Store) and isinstance(parent.target, Subscript):
                return True
        return False

    def _is_from_outside(self, site: CallSite) -> bool:
        """Whether a state that is put back is not one that was taken a moment ago."""
        given = site.call.term.args or tuple(value for _, value in site.call.term.kwargs)
        return bool(given) and not any(
            isinstance(part, Call) and isinstance(part.callee, Attr) and part.callee.name in self.taking
            for each in given
            for part in parts_of(each)
        )


def _is_saving(call: Call) -> bool:
    """Whether a call, by its name, saves what it is given, or puts it into a dict."""
    name = (last_name(call.callee) or "").lower()
    return _SAVES in name or name in ("dict", "update", "ordereddict")
