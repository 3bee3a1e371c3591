"""Models whose passes may record nothing although no block says so: gradients are switched off by a call, or weights are frozen.

``torch.set_grad_enabled(False)`` as a statement holds from there on, wherever that is; as a ``with`` it holds in its block.
Frozen weights are those of one model: a teacher's say nothing of the model beside it.
"""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.contexts import activations
from trainlint.facts.modes.identity import NOTHING, Allocation, Identities, Key, Keys, Parameter, parted
from trainlint.facts.program import Program, calls_of
from trainlint.ir.nodes import Attr, Call, Const, Term
from trainlint.ir.sketch import Function, Store, With
from trainlint.ir.terms import is_true
from trainlint.ir.walk import of_kind

_MOST_FRAMES = 4


class Suspended:
    """Answers for one program, file by file."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        self._switches = [name.rpartition(".")[2] for name, word in self.knowledge.grad_modes.items() if word == "flag"]
        self._switched: dict[str, bool] = {}
        self._frozen: dict[str, list[Keys]] = {}

    def may_be(self, module: str, keys: Keys) -> bool:
        """Whether a file may see to it that passes of a model (its keys) record nothing; of no keys, that any model's do not."""
        if self._is_switched(module):
            return True
        passed = self._passed(keys)
        return any(self._may_be_one(frozen, keys) and self._may_be_one(frozen, passed) for frozen in self._all_frozen(module))

    def _passed(self, keys: Keys) -> Keys:
        """The same models, with what callers in sight pass in place of parameters."""
        asked = self.program.ask(Identities)
        found: set[Key] = set()
        for key in keys:
            frame, term = asked.parameters.get(key, (None, None))
            if frame is None or term is None:
                found.add(key)
                continue
            frames = activations(self.program, frame.module, frame.function)[:_MOST_FRAMES]
            found.update(NOTHING.union(*(asked.of(term, each) for each in frames)) or {key})
        return frozenset(found)

    def _may_be_one(self, frozen: Keys, keys: Keys) -> bool:
        """Whether one of two sets of models may be, or be a part of, one of the others."""
        return not frozen or not keys or not all(self._are_two(one, other) for one in frozen for other in keys)

    def _are_two(self, one: Key, other: Key) -> bool:
        """Whether two keys are those of two models.

        They are parts of one thing, one function is given both, or two calls made them; and what a call in sight makes is not
        what a function is given that nobody is seen to call.
        """
        (root, parts), (other_root, other_parts) = parted(one), parted(other)
        if root == other_root:
            return any(part != other_part for part, other_part in zip(parts, other_parts, strict=False))
        roots = (root, other_root)
        handed = {(each.module, each.function) if isinstance(each, Parameter) else None for each in roots}
        if len(handed) == 1 and None not in handed:
            return True
        made = [each for each in roots if isinstance(each, Allocation)]
        return bool(made) and all(each in made or self._is_from_outside(each) for each in roots)

    def _is_from_outside(self, key: Key) -> bool:
        frame, _ = self.program.ask(Identities).parameters.get(key, (None, None))
        return frame is not None and not self.program.ask(CallGraph).callers(frame.function)

    def _is_switched(self, module: str) -> bool:
        known = self._switched.get(module)
        if known is None:
            index = self.program.ask(CallGraph)
            sites = (site for name in self._switches for site in index.sites.get(name, ()) if site.module == module)
            known = self._switched[module] = any(self._stays(site.function, site.call.term) for site in sites)
        return known

    def _stays(self, function: Function, call: Call) -> bool:
        """Whether what a switch says stays so, and may be that nothing is recorded."""
        if any(item is call for node in of_kind(function, With) for item in node.items):
            return False
        return not (call.args and isinstance(call.args[0], Const) and call.args[0].value is True)

    def _all_frozen(self, module: str) -> list[Keys]:
        """The models whose weights a file freezes, or may: one set for each statement, empty where nobody knows of which."""
        known = self._frozen.get(module)
        if known is None:
            functions = self.program.modules[module].functions.values()
            known = self._frozen[module] = [keys for each in functions for keys in self._freezing(module, each)]
        return known

    def _freezing(self, module: str, function: Function) -> Iterator[Keys]:
        for base in self._bases(function):
            frames = activations(self.program, module, function)[:_MOST_FRAMES]
            yield NOTHING.union(*(self.program.ask(Identities).of_owner(base, frame) for frame in frames))

    def _bases(self, function: Function) -> Iterator[Term]:
        """What a function says needs no gradient, or may need none."""
        names = self.knowledge.freezes
        for store in of_kind(function, Store):
            if isinstance(store.target, Attr) and store.target.name in names and not is_true(store.value):
                yield store.target.base
        for node in calls_of(function):
            callee, given = node.term.callee, (*node.term.args, *(value for _, value in node.term.kwargs))
            if not isinstance(callee, Attr) or not callee.name.endswith("_") or callee.name[:-1] not in names:
                continue
            if given and not is_true(given[0]):
                yield callee.base
