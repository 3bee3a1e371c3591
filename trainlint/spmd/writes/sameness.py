"""Whether a value is surely the same on every rank.

A path that is may be written by all of them at once. Whatever is not in sight counts as no: a rank may be in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainlint.facts.contents import Contents
from trainlint.facts.hooked import Hooked
from trainlint.facts.numbers import is_range
from trainlint.facts.values import Bound, ClassValue, Frame, FunctionValue, Instance, Library, Made, ModuleValue, Other
from trainlint.model.sketch import Function, Loop, Store
from trainlint.model.terms import Term
from trainlint.model.walk import statements_of
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
        handler = getattr(self, "_" + term[0], None)
        return handler is not None and handler(term, frame, depth)

    def _all(self, terms: list[Term] | tuple[Term, ...], frame: Frame, depth: int) -> bool:
        return all(self.same(term, frame, depth) for term in terms)

    # -- leaves ----------------------------------------------------------------------------------------------------

    def _c(self, _term: Term, _frame: Frame, _depth: int) -> bool:
        return True

    def _self(self, _term: Term, _frame: Frame, _depth: int) -> bool:
        return True

    def _r(self, term: Term, frame: Frame, depth: int) -> bool:
        value = self.program.lookup(frame.module, term[1])
        if isinstance(value, Other):
            return self.same(value.term, value.frame, depth)
        if isinstance(value, Library):
            return not self.hints(value.name) and value.name not in self.program.knowledge.ranks
        return isinstance(value, ModuleValue)

    def _g(self, term: Term, frame: Frame, depth: int) -> bool:
        if self.tells(term[1]):
            return False
        module = self.program.modules[frame.module]
        known = module.names.get(term[1])
        if known is None or known is term:
            return False
        top = self.program.frame(frame.module, module.functions["<module>"])
        if term[1] in module.rebound:
            return False
        return self.same(known, top, depth)

    def _p(self, term: Term, frame: Frame, depth: int) -> bool:
        holder = frame.holder(term[1])
        if holder is None:
            return False
        bound = holder.arguments.get(term[2])
        if isinstance(bound, Bound):
            return self.same(bound.term, bound.frame, depth)
        if bound is not None or self.hints(term[2]):
            return False
        if holder.caller is None and self.program.ask(Hooked).registration(holder.function) is not None:
            return True  # a library passes the same to all: models, and a folder
        if holder.caller is None and library_method(self.program, holder) is not None:
            return True
        default = holder.function.defaults.get(term[2])
        if default is not None and holder.depth:
            return self.same(default, self.program.frame(holder.module, holder.function), depth)
        return holder.caller is None and (holder.function.cls is None or self.passed_alike(holder.function, term[2]))

    def _v(self, term: Term, frame: Frame, depth: int) -> bool:
        parts = self.program.modules[frame.module].texts.get(term)
        if parts is not None:
            return self._all(parts, frame, depth)
        drawn = frame.function.drawn.get(term)
        if drawn is None or not self._filled(term, frame, depth):
            return False
        return self._all((drawn.subject, drawn.item), frame, depth) and all(self.harmless(test, frame) for test in drawn.tests)

    def _lv(self, term: Term, frame: Frame, depth: int) -> bool:
        """A name that a loop changes: a counter, or what else is made of things that are the same."""
        if self.tells(term[1]):
            return False
        function = frame.function
        before, _ = function.carried.get(term, (None, None))
        if before is not None and self.marked(before, frame):
            return False
        held = function.looped.get(term[1])
        if held is not None:
            return self.same(held, frame, depth)
        for node in statements_of(function):
            if type(node) is Loop and term[1] in node.names and node.target is not None:
                return self._item_of_loop(node.subject, node.names.index(term[1]) if len(node.names) > 1 else None, frame, depth)
        return False

    # -- parts -----------------------------------------------------------------------------------------------------

    def _a(self, term: Term, frame: Frame, depth: int) -> bool:
        name = term[2]
        if self.tells(name):
            return False
        values = self.program.values(term[1], frame)
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
                return alike and (self.same(term[1], frame, depth) or self.given(term[1], frame))
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
                    if type(node) is Store and node.target[0] == "a" and node.target[1][0] != "self":
                        self._stored.setdefault(node.target[2], []).append((path, function, node.value))
        for path, function, value in self._stored.get(name, ()):
            if not self.same(value, self.program.frame(path, function), depth):
                return False
        return True

    def _sub(self, term: Term, frame: Frame, depth: int) -> bool:
        base, key = term[1], term[2]
        if base[0] == "elem" and key[0] == "c":
            return self._item_of_loop(base[1], key[2], frame, depth)
        if key[0] == "c" and isinstance(key[2], str) and self.environment(key[2]):
            return False
        if base[0] in ("tuple", "list") and key[0] == "c" and type(key[2]) is int and -len(base[1]) <= key[2] < len(base[1]):
            return self.same(base[1][key[2]], frame, depth)
        if base[0] == "call" and key[0] == "c" and type(key[2]) is int:
            for value in self.program.values(base[1], frame):
                if isinstance(value, FunctionValue):
                    return self._returned(value, base, frame, depth, key[2])
        if key[0] == "v" and key not in frame.function.drawn and self.listings.is_listing(base, frame):
            return self.same(base, frame, depth)  # a slice with constant bounds
        return self.same(base, frame, depth) and self.same(key, frame, depth)

    def _elem(self, term: Term, frame: Frame, depth: int) -> bool:
        return self._item_of_loop(term[1], None, frame, depth)

    def _item_of_loop(self, subject: Term, index: object, frame: Frame, depth: int) -> bool:
        """What a loop hands out: numbers of a range, the count of ``enumerate``, items of a literal."""
        if subject[0] in ("list", "tuple", "set"):
            return self._all([_part(item, index) for item in (*subject[1], *self._put_in(subject, frame))], frame, depth)
        if self.listings.is_listing(subject, frame):
            return self.same(subject, frame, depth) and self._filled(subject, frame, depth)
        if subject[0] != "call":
            return False
        if self.trusting and index == 0 and not subject[2] and subject[1][0] == "a" and subject[1][2] == "items":
            return not self.hinting(subject[1][1], frame.module) and not self.marked(subject[1][1], frame)  # names of parts
        if is_range(self.program, subject, frame):
            # All ranks are in the same round at the same time, wherever the count begins: with what a checkpoint says.
            counted = self.trusting and not any(self.marked(bound, frame) for bound in subject[2])
            return counted or self._all(subject[2], frame, depth)
        for value in self.program.values(subject[1], frame):
            shape = self.program.knowledge.iterates.get(value.name) if isinstance(value, Library) else None
            if shape == "indexed" and index == 0:
                return True
            if shape == "indexed" and index == 1 and subject[2]:
                return self._item_of_loop(subject[2][0], None, frame, depth)
            if shape == "same" and subject[2]:
                return self._item_of_loop(subject[2][0], index, frame, depth)
        return False

    # -- operators -------------------------------------------------------------------------------------------------

    def _bin(self, term: Term, frame: Frame, depth: int) -> bool:
        return self.same(term[2], frame, depth) and self.same(term[3], frame, depth)

    def _cmp(self, term: Term, frame: Frame, depth: int) -> bool:
        return self._bin(term, frame, depth)

    def _not(self, term: Term, frame: Frame, depth: int) -> bool:
        return self.same(term[1], frame, depth)

    def _and(self, term: Term, frame: Frame, depth: int) -> bool:
        return self._all(term[1], frame, depth)

    _or = _tuple = _set = _and

    def _list(self, term: Term, frame: Frame, depth: int) -> bool:
        return self._all(term[1], frame, depth) and self._filled(term, frame, depth)

    def _filled(self, term: Term, frame: Frame, depth: int) -> bool:
        """Whether the function puts nothing into a list that is another thing on each rank."""
        return self._all(self._put_in(term, frame), frame, depth)

    def _put_in(self, term: Term, frame: Frame) -> list[Term]:
        known = self.program.ask(Contents).changes(frame.function)
        return [change.value for change in (known.of.get(term, ()) if known is not None else ()) if change.value is not None]

    def _dict(self, term: Term, frame: Frame, depth: int) -> bool:
        return all(self.same(value, frame, depth) for _, value in term[1])

    def _if(self, term: Term, frame: Frame, depth: int) -> bool:
        if not (self.same(term[2], frame, depth) and self.same(term[3], frame, depth)):
            return False
        # An unknown condition is a ``try`` whose ways meet: whether an import worked, when it chooses between constants.
        imported = term[1][0] == "v" and term[2][0] == "c" and term[3][0] == "c"
        return imported or self.harmless(term[1], frame) or self.is_default(term[1], frame, depth)

    def _slice(self, term: Term, frame: Frame, depth: int) -> bool:
        return self._all(term[1:], frame, depth)

    # -- calls -----------------------------------------------------------------------------------------------------

    def _call(self, term: Term, frame: Frame, depth: int) -> bool:
        knowledge = self.program.knowledge
        callee = term[1]
        arguments = [*term[2], *(value for _, value in term[3])]
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
            if not self.listings.by_method(term) and (
                callee[0] != "a" or callee[2] not in (knowledge.plain_methods | knowledge.asks_methods)
            ):
                return False
            if not self.same(callee[1], frame, depth) and not self._parses(callee, frame):
                return False
            if not self._all(arguments, frame, depth) and not self._parses(callee, frame):
                return False
        return bool(values)

    def _library(self, name: str, term: Term, frame: Frame, depth: int) -> bool | None:
        """Whether a library's function returns the same everywhere; None for one that the tables do not know."""
        knowledge = self.program.knowledge
        arguments = [*term[2], *(value for _, value in term[3])]
        if name in knowledge.plain or name in knowledge.transparent or name in knowledge.asks:
            if any(part[0] == "c" and isinstance(part[2], str) and self.environment(part[2]) for part in arguments):
                return False
            return self._parses(term[1], frame) or self._all(arguments, frame, depth)
        if name in knowledge.listings:
            asked = [term[1][1], *arguments] if term[1][0] == "a" else arguments
            return self._all(asked, frame, depth)
        if name in knowledge.seconds or self._formats(name, term):
            return True
        if name in knowledge.relists:
            return self._all(term[2], frame, depth)
        if name in knowledge.asks_kind:
            return not any(self.differs(part, frame) or self.hinting(part, frame.module) for part in arguments)
        return None

    def _formats(self, name: str, term: Term) -> bool:
        """Whether a call writes what a clock says, to the second: all ranks get the same, or nearly so."""
        maker, _, method = name.rpartition(".")
        fine = any(part[0] == "c" and isinstance(part[2], str) and "%f" in part[2] for part in term[2])
        return method == "strftime" and not fine and self.program.knowledge.data.get(maker) == "clock"

    def environment(self, name: str) -> bool:
        """Whether a variable of the environment is one that differs between ranks."""
        return name in self.program.knowledge.environment or self.hints(name)

    def _parses(self, callee: Term, frame: Frame) -> bool:
        """What a parser of the command line returns is the same for all."""
        values = self.program.values(callee[1], frame) if callee[0] == "a" else ()
        return any(isinstance(value, Made) and f"{value.name}.{callee[2]}" in self.program.knowledge.plain for value in values)

    def _returned(self, value: FunctionValue, call: Term, frame: Frame, depth: int, item: int | None = None) -> bool:
        """Whether a function of the project returns the same everywhere, or an item of the tuple that it returns."""
        function = value.function
        if function.generator or frame.runs(function) or self.tells(function.name) or depth > _DEEPEST - 4:
            return False
        inner = self.program.enter(value, call, frame)
        returned = self.program.returns(function)
        if item is not None:
            if not all(term[0] == "tuple" and -len(term[1]) <= item < len(term[1]) for term in returned):
                return False
            returned = [term[1][item] for term in returned]
        return self._all_of(returned, inner, depth)


def _part(item: Term, index: object) -> Term:
    """An item of a written-out list, or the part of it at an index."""
    if type(index) is int and item[0] in ("tuple", "list") and -len(item[1]) <= index < len(item[1]):
        return item[1][index]  # type: ignore[no-any-return]
    return item
