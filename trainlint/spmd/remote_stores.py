"""Names and attributes that functions set for others: of their file, of another file, of an object, of a function around."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trainlint.facts.globals import global_stores
from trainlint.facts.literals import item_of
from trainlint.facts.values import Bound, ClassValue, Frame, Instance, ModuleValue, Other, Value
from trainlint.ir.nodes import Const, Ref, Term
from trainlint.spmd.attributes import Attributes
from trainlint.spmd.heap_state import UNSET
from trainlint.spmd.marked import Marked, of_attribute, of_name
from trainlint.spmd.settings import Setting, Settings
from trainlint.spmd.symbols import UNKNOWN, Choice, Sym


class Afar(Marked):
    """The part of the evaluator that asks for them."""

    def set_in_file(self, term: Ref, frame: Frame) -> Any:
        """A top-level name of another file that functions set, there or from afar; ``UNSET`` where ranks do not differ in it."""
        parent, _, name = term.name.rpartition(".")
        owner = self.program.lookup(frame.module, parent) if parent.strip(".") else None
        if not isinstance(owner, ModuleValue):
            return UNSET
        if self.is_rebound(owner.module, name):
            told = self.rebound(owner.module, name)
            known = self.program.modules[owner.module].names.get(name)
            return self.name_set(owner.module, name, known) if told is None else told
        return self.member_set(owner, name)

    def member_set(self, owner: ModuleValue, name: str) -> Any:
        """What others set a top-level name of a file to (``state.READY = True``), if ranks differ in it."""
        if not self.program.ask(Settings).of_attribute(owner, name):
            return UNSET
        found = self.program.member(owner, name)
        return self.marked_attribute(owner, name, Bound(found.term, found.frame) if isinstance(found, Other) else None)

    def shared_name(self, term: Term, frame: Frame) -> Any:
        """What a name holds that a nested function declares ``nonlocal``, if ranks differ in it; else ``UNSET``."""
        holder: Frame | None = frame
        while holder is not None and term not in holder.function.shared:
            holder = holder.closure
        if holder is None:
            return UNSET
        first = Bound(holder.function.shared[term], holder)
        return self.marked((term, holder), first, self.program.ask(Settings).of_shared(frame.module, term))

    def name_set(self, path: str, name: str, known: Term | None) -> Any:
        """A top-level name that functions of its file set, if ranks differ in it; else ``UNSET``."""
        module = self.program.modules[path]
        first = Bound(known, self.program.frame(path, module.functions["<module>"])) if known is not None else None
        return self.marked(of_name(path, name), first, self.program.ask(Settings).of_name(path, name))

    def marked_attribute(self, holder: Value, name: str, first: Bound | None) -> Any:
        """What functions set an attribute to that is not theirs, if ranks differ in it; else ``UNSET``."""
        return self.marked(of_attribute(name, holder), first, self.program.ask(Settings).of_attribute(holder, name))

    def set_outside(self, instance: Instance, name: str, from_afar: Sequence[Setting]) -> Any:
        """An attribute of an object that others than its methods set, if ranks differ in it."""
        cls = ClassValue(instance.module, instance.cls)
        attribute = self.program.class_attribute(cls, name)
        first = Bound(attribute[1], attribute[0]) if attribute is not None else None
        own = self.program.ask(Attributes).settings(cls, name)
        if own and own[0].function.name == "__init__" and not own[0].tests:
            frame = self.program.instance_frame(instance, own[0].module, own[0].function)
            first, own = Bound(own[0].value, frame), own[1:]
        return self.marked(of_attribute(name, instance), first, (*own, *from_afar))

    def rebound(self, path: str, name: str) -> Any:
        """What functions bind a top-level name to, when all that depends on the rank is one value; None otherwise.

        What they bind it to besides (and what it is before) is for a run without other ranks.
        """
        answers = []
        stores = self.program.ask_of(global_stores, path).get(name, ())
        set_here = self.program.ask(Settings).of_name(path, name) if stores else ()
        if set_here and all(self._comes_later(store) for store in set_here):
            return None  # not yet
        for function, value in stores:
            answer, asked = self.evaluate(value, self.program.frame(path, function))
            if asked:
                answers.append(answer)
            elif isinstance(answer, UNKNOWN):
                return None
        agreed = answers and all(answer == answers[0] and type(answer) is type(answers[0]) for answer in answers)
        return answers[0] if agreed and not isinstance(answers[0], (Sym, Choice)) else None

    def is_rebound(self, path: str, name: str) -> bool:
        module = self.program.modules.get(path)
        return module is not None and name in module.rebound

    def item_set(self, base: Term, key: Const, frame: Frame) -> Any:
        """What functions set an item to that is not theirs, if ranks differ in it; else ``UNSET``."""
        for value in self.program.values(base, frame):
            stores = self.program.ask(Settings).of_item(value, key.value) if isinstance(value, Other) else ()
            if stores and isinstance(value, Other):
                item = item_of(value.term, key)
                first = Bound(item, value.frame) if item is not None else None
                return self.marked(("item", value.term, key), first, stores)
        return UNSET
