"""What is taken on trust of a path: that what somebody out of sight makes an object with is no matter of the rank."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.values import Bound, Frame, FunctionValue, Made, Other
from trainlint.ir.nodes import Attr, Call, Compare, Const, Element, Global, Param, Term
from trainlint.ir.sketch import Function
from trainlint.spmd.writes.marks import Marks

if TYPE_CHECKING:
    from trainlint.facts.program import Program


class Trust(Marks):
    """The part of the answer about sameness that is about what is out of sight; ``trusting`` while a path is asked about."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.trusting = False

    def alike(self, path: Term, frame: Frame) -> bool:
        """Whether a path is the same on every rank, if what objects are made with out of sight is: a folder, by its name."""
        self.trusting = True
        try:
            return self.same(path, frame)
        finally:
            self.trusting = False

    def harmless(self, condition: Term, frame: Frame) -> bool:
        """Of a test nothing is taken on trust."""
        trusting, self.trusting = self.trusting, False
        try:
            return super().harmless(condition, frame)
        finally:
            self.trusting = trusting

    def passed_alike(self, method: Function, parameter: str) -> bool:
        """Whether those who call a method in sight, or make its objects, pass nothing that has to do with the rank."""
        if not self.trusting:
            return False
        asked = self.program.ask(CallGraph)
        sites = asked.callers(method)
        if not sites and method.name != "__init__":
            return False
        for site in sites:
            caller = self.program.frame(site.module, site.function)
            for target in asked.targets(site.call.term, caller):
                if isinstance(target, FunctionValue) and target.function is method:
                    given = self.program.enter(target, site.call.term, caller).arguments.get(parameter)
                    if isinstance(given, Bound) and self.marked(given.term, given.frame):
                        return False
        return True

    def given(self, term: Term, frame: Frame) -> bool:
        """Whether a term is what a method is handed out of sight: a configuration, when something is taken from it.

        So is what such a thing says when it is asked for nothing in particular (``settings.get_config()``), and what is called
        as settings are (``self.cfg``), wherever it was read.
        """
        if not self.trusting:
            return False
        if isinstance(term, Call) and not term.args and not term.kwargs and isinstance(term.callee, Attr):
            asked: Term = term.callee
            while isinstance(asked, Attr):
                asked = asked.base
            if isinstance(asked, (Call, Element)):
                return False  # what was computed, or drawn: a number of this process's own (``loss.item()``)
            unseen = all(type(value) is Other for value in self.program.values(term.callee, frame))
            return unseen and not self.hinting(term.callee) and not self.marked(term.callee.base, frame)
        name = term.name if isinstance(term, (Attr, Param, Global)) else ""
        if name.lower() in self.program.knowledge.settings and not self.hinting(term, frame.module):
            values = self.program.values(term, frame)
            return all(type(value) is Other or (type(value) is Made and not self.hints(value.name)) for value in values)
        return isinstance(term, Param) and not self.hints(term.name) and frame.given(term) is None

    def is_default(self, condition: Term, frame: Frame, depth: int) -> bool:
        """Whether a test asks if something was handed in that is taken on trust."""
        if not (isinstance(condition, Compare) and condition.op in ("Is", "IsNot") and isinstance(condition.right, Const)):
            return False
        return self.trusting and self.same(condition.left, frame, depth)
