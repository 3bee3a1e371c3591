"""Whether a value is surely the same on every rank.

A path that is may be written by all of them at once. Whatever is not in sight counts as no: a rank may be in it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from trainlint.facts.contents import Contents
from trainlint.facts.framework_callbacks import Hooked
from trainlint.facts.numbers import is_range
from trainlint.facts.values import Bound, ClassValue, Frame, FunctionValue, Instance, Library, Made, ModuleValue, Other
from trainlint.ir.nodes import (
    And,
    Attr,
    BinOp,
    Call,
    Compare,
    Const,
    Dict,
    Element,
    Global,
    List,
    LoopPhi,
    Not,
    Or,
    Param,
    Ref,
    Select,
    Self,
    Set,
    Slice,
    Subscript,
    Term,
    Tuple,
    Unknown,
)
from trainlint.ir.sketch import Function, Loop, Store
from trainlint.ir.walk import statements_of
from trainlint.spmd.writes.listed import Listings
from trainlint.spmd.writes.owned import library_method
from trainlint.spmd.writes.trust import Trust

if TYPE_CHECKING:
    from trainlint.facts.program import Program

_DEEPEST = 16
_DICT = "builtins.dict"


class Sameness(Trust):
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._memo: dict[tuple[Term, Frame], bool] = {}
        self._alike: dict[tuple[Term, Frame], bool] = {}
        self._stored: dict[str, list[tuple[str, Function, Term]]] | None = None
        self.listings = Listings(program)
        #: By what a value of a kind is judged; of other kinds nothing is known.
        self._handlers: dict[type[Term], Callable[[Any, Frame, int], bool]] = {
            Const: self._of_constant,
            Ref: self._of_imported,
            Global: self._of_global_name,
            Param: self._of_parameter,
            Self: self._of_instance,
            Attr: self._of_attribute,
            Call: self._of_call,
            Not: self._of_negation,
            And: self._of_operands,
            Or: self._of_operands,
            Compare: self._of_sides,
            BinOp: self._of_sides,
            Select: self._of_choice,
            Tuple: self._of_items,
            List: self._of_list,
            Set: self._of_items,
            Dict: self._of_dict,
            Subscript: self._of_item,
            Slice: self._of_slice,
            Element: self._of_element,
            LoopPhi: self._of_carried,
            Unknown: self._of_unknown,
        }

    def same(self, term: Term, frame: Frame, depth: int = 0) -> bool:
        """Whether a term surely has one value on all ranks (or the same one at the same point of the run)."""
        memo = self._alike if self.trusting else self._memo
        key = (term, frame)
        known = memo.get(key)
        if known is None:
            if depth > _DEEPEST:
                return False
            memo[key] = True  # a value that is made of itself
            known = memo[key] = self._same(term, frame, depth + 1)
        return known

    def _same(self, term: Term, frame: Frame, depth: int) -> bool:
        handler = self._handlers.get(type(term))
        return handler is not None and handler(term, frame, depth)

    def _all(self, terms: list[Term] | tuple[Term, ...], frame: Frame, depth: int) -> bool:
        return all(self.same(term, frame, depth) for term in terms)

    # -- leaves ----------------------------------------------------------------------------------------------------

    def _of_constant(self, _term: Term, _frame: Frame, _depth: int) -> bool:
        return True

    def _of_instance(self, _term: Term, _frame: Frame, _depth: int) -> bool:
        return True

    def _of_imported(self, term: Ref, frame: Frame, depth: int) -> bool:
        value = self.program.lookup(frame.module, term.name)
        if isinstance(value, Other):
            return self.same(value.term, value.frame, depth)
        if isinstance(value, Library):
            return not self.hints(value.name) and value.name not in self.program.knowledge.ranks
        return isinstance(value, ModuleValue)

    def _of_global_name(self, term: Global, frame: Frame, depth: int) -> bool:
        if self.tells(term.name):
            return False
        module = self.program.modules[frame.module]
        known = module.names.get(term.name)
        if known is None or known is term:
            return False
        top = self.program.frame(frame.module, module.functions["<module>"])
        if term.name in module.rebound:
            return False
        return self.same(known, top, depth)

    def _of_parameter(self, term: Param, frame: Frame, depth: int) -> bool:
        holder = frame.holder(term.function)
        if holder is None:
            return False
        bound = holder.arguments.get(term.name)
        if isinstance(bound, Bound):
            return self.same(bound.term, bound.frame, depth)
        if bound is not None or self.hints(term.name):
            return False
        if holder.caller is None and self.program.ask(Hooked).registration(holder.function) is not None:
            return True  # a library passes the same to all: models, and a folder
        if holder.caller is None and library_method(self.program, holder) is not None:
            return True
        default = holder.function.defaults.get(term.name)
        if default is not None and holder.depth:
            return self.same(default, self.program.frame(holder.module, holder.function), depth)
        return holder.caller is None and (holder.function.cls is None or self.passed_alike(holder.function, term.name))

    def _of_unknown(self, term: Term, frame: Frame, depth: int) -> bool:
        parts = self.program.modules[frame.module].texts.get(term)
        if parts is not None:
            return self._all(parts, frame, depth)
        drawn = frame.function.drawn.get(term)
        if drawn is None or not self._filled(term, frame, depth):
            return False
        return self._all((drawn.subject, drawn.item), frame, depth) and all(self.harmless(test, frame) for test in drawn.tests)

    def _of_carried(self, term: LoopPhi, frame: Frame, depth: int) -> bool:
        """A name that a loop changes: a counter, or what else is made of things that are the same."""
        if self.tells(term.name):
            return False
        function = frame.function
        before, _ = function.carried.get(term, (None, None))
        if before is not None and self.marked(before, frame):
            return False
        held = function.looped.get(term.name)
        if held is not None:
            return self.same(held, frame, depth)
        for node in statements_of(function):
            if type(node) is Loop and term.name in node.names and node.target is not None:
                index = node.names.index(term.name) if len(node.names) > 1 else None
                return self._item_of_loop(node.subject, index, frame, depth)
        return False

    # -- parts -----------------------------------------------------------------------------------------------------

    def _of_attribute(self, term: Attr, frame: Frame, depth: int) -> bool:
        name = term.name
        if self.tells(name):
            return False
        values = self.program.values(term.base, frame)
        for value in values:
            if isinstance(value, Instance):
                if not self._kept(value, name, depth):
                    return False
            elif isinstance(value, ClassValue):
                attribute = self.program.class_attribute(value, name)
                if attribute is None or not self.same(attribute[1], attribute[0], depth):
                    return False
            elif isinstance(value, ModuleValue):
                found = self.program.member(value, name)
                if not isinstance(found, Other) or not self.same(found.term, found.frame, depth):
                    return False
            elif isinstance(value, Library):
                if self.hints(value.name):
                    return False
            elif isinstance(value, (Made, Other)):
                alike = not self.hints(name) and self.set_alike(name, depth)
                return alike and (self.same(term.base, frame, depth) or self.given(term.base, frame))
            else:
                return False
        return bool(values)

    def _kept(self, value: Instance, name: str, depth: int) -> bool:
        """Whether an object of the project keeps the same value on every rank."""
        cls = ClassValue(value.module, value.cls)
        method = self.program.method(cls, name)
        if method is not None:
            if method[1].kind != "property":
                return False
            inner = self.program.instance_frame(value, *method)
            return self._all_of(self.program.returns(method[1]), inner, depth)
        stored = self.program.stores(cls, name)
        if not stored:
            attribute = self.program.class_attribute(cls, name)
            if attribute is None:  # a dict whose keys are attributes: settings, read from the command line or a file
                return self.trusting and self._is_dict(cls) and not self.hints(name) and self.set_alike(name, depth)
            return self.same(attribute[1], attribute[0], depth)
        for module, function, term in stored:
            if not self.same(term, self.program.instance_frame(value, module, function), depth):
                return False
        return True

    def _is_dict(self, cls: ClassValue) -> bool:
        return any(isinstance(base, Library) and base.name == _DICT for base in self.program.lineage(cls))

    def _all_of(self, terms: list[Term], frame: Frame, depth: int) -> bool:
        return bool(terms) and self._all(terms, frame, depth)

    def set_alike(self, name: str, depth: int) -> bool:
        """Whether everything that is stored under an attribute of this name, of whatever object, is the same everywhere."""
        if self._stored is None:
            self._stored = {}
            for path, function in self.program.functions():
                for node in statements_of(function):
                    if type(node) is Store and isinstance(node.target, Attr) and not isinstance(node.target.base, Self):
                        self._stored.setdefault(node.target.name, []).append((path, function, node.value))
        for path, function, value in self._stored.get(name, ()):
            if not self.same(value, self.program.frame(path, function), depth):
                return False
        return True

    def _of_item(self, term: Subscript, frame: Frame, depth: int) -> bool:
        base, key = term.base, term.key
        if isinstance(base, Element) and isinstance(key, Const):
            return self._item_of_loop(base.of, key.value, frame, depth)
        if isinstance(key, Const) and isinstance(key.value, str) and self.environment(key.value):
            return False
        if (
            isinstance(base, (Tuple, List))
            and isinstance(key, Const)
            and type(key.value) is int
            and -len(base.items) <= key.value < len(base.items)
        ):
            return self.same(base.items[key.value], frame, depth)
        if isinstance(base, Call) and isinstance(key, Const) and type(key.value) is int:
            for value in self.program.values(base.callee, frame):
                if isinstance(value, FunctionValue):
                    return self._returned(value, base, frame, depth, key.value)
        if isinstance(key, Unknown) and key not in frame.function.drawn and self.listings.is_listing(base, frame):
            return self.same(base, frame, depth)  # a slice with constant bounds
        return self.same(base, frame, depth) and self.same(key, frame, depth)

    def _of_element(self, term: Element, frame: Frame, depth: int) -> bool:
        return self._item_of_loop(term.of, None, frame, depth)

    def _item_of_loop(self, subject: Term, index: object, frame: Frame, depth: int) -> bool:
        """What a loop hands out: numbers of a range, the count of ``enumerate``, items of a literal."""
        if isinstance(subject, (List, Tuple, Set)):
            return self._all([_part(item, index) for item in (*subject.items, *self._put_in(subject, frame))], frame, depth)
        if self.listings.is_listing(subject, frame):
            return self.same(subject, frame, depth) and self._filled(subject, frame, depth)
        if not isinstance(subject, Call):
            return False
        if (
            self.trusting
            and index == 0
            and not subject.args
            and isinstance(subject.callee, Attr)
            and subject.callee.name == "items"
        ):
            parts = subject.callee.base  # the keys are names of parts
            return not self.hinting(parts, frame.module) and not self.marked(parts, frame)
        if is_range(self.program, subject, frame):
            # All ranks are in the same round at the same time, wherever the count begins: with what a checkpoint says.
            counted = self.trusting and not any(self.marked(bound, frame) for bound in subject.args)
            return counted or self._all(subject.args, frame, depth)
        for value in self.program.values(subject.callee, frame):
            shape = self.program.knowledge.iterates.get(value.name) if isinstance(value, Library) else None
            if shape == "indexed" and index == 0:
                return True
            if shape == "indexed" and index == 1 and subject.args:
                return self._item_of_loop(subject.args[0], None, frame, depth)
            if shape == "same" and subject.args:
                return self._item_of_loop(subject.args[0], index, frame, depth)
        return False

    # -- operators -------------------------------------------------------------------------------------------------

    def _of_sides(self, term: BinOp | Compare, frame: Frame, depth: int) -> bool:
        return self.same(term.left, frame, depth) and self.same(term.right, frame, depth)

    def _of_negation(self, term: Not, frame: Frame, depth: int) -> bool:
        return self.same(term.operand, frame, depth)

    def _of_operands(self, term: And | Or, frame: Frame, depth: int) -> bool:
        return self._all(term.operands, frame, depth)

    def _of_items(self, term: Tuple | Set, frame: Frame, depth: int) -> bool:
        return self._all(term.items, frame, depth)

    def _of_list(self, term: List, frame: Frame, depth: int) -> bool:
        return self._all(term.items, frame, depth) and self._filled(term, frame, depth)

    def _filled(self, term: Term, frame: Frame, depth: int) -> bool:
        """Whether the function puts nothing into a list that is another thing on each rank."""
        return self._all(self._put_in(term, frame), frame, depth)

    def _put_in(self, term: Term, frame: Frame) -> list[Term]:
        known = self.program.ask(Contents).changes(frame.function)
        return [change.value for change in (known.of.get(term, ()) if known is not None else ()) if change.value is not None]

    def _of_dict(self, term: Dict, frame: Frame, depth: int) -> bool:
        return all(self.same(value, frame, depth) for _, value in term.items)

    def _of_choice(self, term: Select, frame: Frame, depth: int) -> bool:
        if not (self.same(term.then, frame, depth) and self.same(term.other, frame, depth)):
            return False
        # An unknown condition is a ``try`` whose ways meet: whether an import worked, when it chooses between constants.
        imported = isinstance(term.test, Unknown) and isinstance(term.then, Const) and isinstance(term.other, Const)
        return imported or self.harmless(term.test, frame) or self.is_default(term.test, frame, depth)

    def _of_slice(self, term: Slice, frame: Frame, depth: int) -> bool:
        return self._all(term.bounds, frame, depth)

    # -- calls -----------------------------------------------------------------------------------------------------

    def _of_call(self, term: Call, frame: Frame, depth: int) -> bool:
        knowledge = self.program.knowledge
        callee = term.callee
        arguments = [*term.args, *(value for _, value in term.kwargs)]
        values = self.program.values(callee, frame)
        for value in values:
            if isinstance(value, Library):
                known = self._library(value.name, term, frame, depth)
                if known is not None:
                    if not known:
                        return False
                    continue
            elif isinstance(value, FunctionValue):
                if not self._returned(value, term, frame, depth):
                    return False
                continue
            elif isinstance(value, ClassValue):
                if not self._all(arguments, frame, depth):
                    return False
                continue
            if self.given(term, frame):
                continue
            if not isinstance(callee, Attr):
                return False
            if not self.listings.by_method(term) and callee.name not in (knowledge.plain_methods | knowledge.asks_methods):
                return False
            if not self.same(callee.base, frame, depth) and not self._parses(callee, frame):
                return False
            if not self._all(arguments, frame, depth) and not self._parses(callee, frame):
                return False
        return bool(values)

    def _library(self, name: str, term: Call, frame: Frame, depth: int) -> bool | None:
        """Whether a library's function returns the same everywhere; None for one that the tables do not know."""
        knowledge = self.program.knowledge
        arguments = [*term.args, *(value for _, value in term.kwargs)]
        if name in knowledge.plain or name in knowledge.transparent or name in knowledge.asks:
            if any(
                isinstance(part, Const) and isinstance(part.value, str) and self.environment(part.value) for part in arguments
            ):
                return False
            return self._parses(term.callee, frame) or self._all(arguments, frame, depth)
        if name in knowledge.listings:
            asked = [term.callee.base, *arguments] if isinstance(term.callee, Attr) else arguments
            return self._all(asked, frame, depth)
        if name in knowledge.seconds or self._formats(name, term):
            return True
        if name in knowledge.relists:
            return self._all(term.args, frame, depth)
        if name in knowledge.asks_kind:
            return not any(self.differs(part, frame) or self.hinting(part, frame.module) for part in arguments)
        return None

    def _formats(self, name: str, term: Call) -> bool:
        """Whether a call writes what a clock says, to the second: all ranks get the same, or nearly so."""
        maker, _, method = name.rpartition(".")
        fine = any(isinstance(part, Const) and isinstance(part.value, str) and "%f" in part.value for part in term.args)
        return method == "strftime" and not fine and self.program.knowledge.data.get(maker) == "clock"

    def environment(self, name: str) -> bool:
        """Whether a variable of the environment is one that differs between ranks."""
        return name in self.program.knowledge.environment or self.hints(name)

    def _parses(self, callee: Term, frame: Frame) -> bool:
        """What a parser of the command line returns is the same for all."""
        if not isinstance(callee, Attr):
            return False
        values = self.program.values(callee.base, frame)
        return any(isinstance(value, Made) and f"{value.name}.{callee.name}" in self.program.knowledge.plain for value in values)

    def _returned(self, value: FunctionValue, call: Call, frame: Frame, depth: int, item: int | None = None) -> bool:
        """Whether a function of the project returns the same everywhere, or an item of the tuple that it returns."""
        function = value.function
        if function.generator or frame.runs(function) or self.tells(function.name) or depth > _DEEPEST - 4:
            return False
        inner = self.program.enter(value, call, frame)
        returned = self.program.returns(function)
        if item is not None:
            rows = [term.items for term in returned if isinstance(term, Tuple) and -len(term.items) <= item < len(term.items)]
            if len(rows) < len(returned):
                return False
            returned = [row[item] for row in rows]
        return self._all_of(returned, inner, depth)


def _part(item: Term, index: object) -> Term:
    """An item of a written-out list, or the part of it at an index."""
    if type(index) is int and isinstance(item, (Tuple, List)) and -len(item.items) <= index < len(item.items):
        return item.items[index]
    return item
