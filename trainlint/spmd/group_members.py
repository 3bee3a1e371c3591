"""Which ranks are in the group of a collective."""

from __future__ import annotations

from typing import Any

from trainlint.ir.nodes import Call, Collected, Comprehension, Const, List, Set, Subscript, Term, Tuple
from trainlint.ir.terms import is_none
from trainlint.program.program import Program
from trainlint.program.values import Context, Library, LibraryObject, Unresolved
from trainlint.spmd.process_groups import CommonGroups
from trainlint.spmd.ranks import Evaluator
from trainlint.spmd.symbols import WORLD

#: What ``new_group`` is given where it is given no ranks.
_NONE = Const.new("NoneType", None)


class GroupMembers:
    """Answers for one rank."""

    def __init__(self, program: Program, evaluator: Evaluator) -> None:
        self.program = program
        self.evaluator = evaluator

    def of(self, group: Term, frame: Context) -> tuple[Any, ...] | None:
        """The ranks of a group: those that are written down, or all of them, where every one uses it; else None."""
        return self._written(group, frame) or self.common(group, frame)

    def common(self, group: Term, frame: Context) -> tuple[Any, ...] | None:
        """All ranks, and what stands for a group that every one of them uses in the function: each is in its own; else None."""
        found = self.program.ask(CommonGroups).of(group, frame, self.evaluator)
        return None if found is None else (*range(WORLD), found)

    def _written(self, group: Term, frame: Context) -> tuple[int, ...] | None:
        """The ranks of a group that is made of numbers written down in the program, all of them example ranks; else None."""
        if isinstance(group, Subscript) and isinstance(group.base, Collected):
            return self._own_group(group, frame)
        knowledge = self.program.knowledge
        groups = [
            value for value in self.program.values(group, frame) if isinstance(value, LibraryObject) and value.call is not None
        ]
        groups = [value for value in groups if knowledge.collective_kinds.get(value.name) == "new-group"]
        if len(groups) > 1:  # which of them may be a matter of the rank
            chosen = getattr(self.evaluator.value(group, frame), "key", None)
            groups = [value for value in groups if type(chosen) is tuple and chosen[0] is value.call]
        if len(groups) != 1 or groups[0].call is None or groups[0].frame is None:
            return None
        call = groups[0].call
        if groups[0].name.endswith(".new_group") and not any(name is None for name, _ in call.kwargs):
            ranks = call.args[0] if call.args else next((value for name, value in call.kwargs if name == "ranks"), _NONE)
            if is_none(ranks):
                return tuple(range(WORLD))
        return self._made_of(groups[0].call, groups[0].frame)

    def _made_of(self, call: Call, made_in: Context) -> tuple[int, ...] | None:
        """The ranks for which a call makes a group, if all of them are example ranks."""
        given = call.args[0] if call.args else next((value for name, value in call.kwargs if name == "ranks"), None)
        if given is None:
            return None
        numbers = self._numbers(given, made_in)
        if numbers is None or any(type(number) is not int or asked or not 0 <= number < WORLD for number, asked in numbers):
            return None
        return tuple(sorted(number for number, _ in numbers))

    def _numbers(self, given: Term, frame: Context) -> list[tuple[Any, bool]] | None:
        """The numbers of a list or range that is written down, here or elsewhere, each with whether it is the rank's own."""
        for value in self.program.values(given, frame):
            if isinstance(value, Unresolved) and isinstance(value.term, (List, Tuple, Set)) and type(value.term.items) is tuple:
                return [self.evaluator.evaluate(item, value.frame) for item in value.term.items]
        numbers = self.evaluator.consteval.range_of(given, frame)
        if numbers is None or len(numbers) > WORLD or not isinstance(given, Call):
            return None
        if any(self.evaluator.evaluate(bound, frame)[1] for bound in given.args):
            return None
        return [(number, False) for number in numbers]

    def whole_world(self, group: Term, frame: Context) -> bool:
        """Whether a group is that of all ranks."""
        return self.evaluator.value(group, frame) is None or self.evaluator.origins.is_world(group, frame)

    def _own_group(self, group: Subscript, frame: Context) -> tuple[int, ...] | None:
        """The ranks of a group that the rank chooses among those that a comprehension makes."""
        drawn = group.base if isinstance(group.base, Comprehension) else None
        if (
            drawn is None
            or drawn.key is not None
            or drawn.tests
            or not isinstance(drawn.item, Call)
            or drawn.target in self.evaluator.loops
        ):
            return None
        source, number = self.evaluator.consteval.container(drawn.of, frame), self.evaluator.value(group.key, frame)
        if source is None or type(number) is not int or not 0 <= number < len(source):
            return None
        kinds = self.program.knowledge.collective_kinds
        values = self.program.values(drawn.item.callee, frame)
        if not any(isinstance(value, Library) and kinds.get(value.name) == "new-group" for value in values):
            return None
        self.evaluator.loops[drawn.target] = list(source)[number]
        try:
            return self._made_of(drawn.item, frame)
        finally:
            del self.evaluator.loops[drawn.target]
