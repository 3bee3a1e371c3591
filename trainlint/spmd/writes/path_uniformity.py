"""Whether a value is surely the same on every rank.

A path that is may be written by all of them at once. Whatever is not in sight counts as no: a rank may be in it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from trainlint.domains.communication import Communication
from trainlint.ir.bindings import carried_in, held_in_rounds
from trainlint.ir.nodes import (
    UNKNOWNS,
    And,
    Attr,
    BinOp,
    Call,
    Collected,
    Compare,
    Composite,
    Comprehension,
    Const,
    Dict,
    Element,
    Entered,
    Global,
    List,
    LoopPhi,
    Nested,
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
from trainlint.ir.sketch import CallStep, Exit, Function, If, Loop, Statement, Store
from trainlint.ir.terms import parts_through, whole_number
from trainlint.ir.walk import statements_of
from trainlint.program.call_graph import CallGraph
from trainlint.program.heap import at, fields_of, item_of, kept_under, position
from trainlint.program.indirect_calls import FrameworkCallbacks
from trainlint.program.loops import is_range
from trainlint.program.memo import remembered
from trainlint.program.naming import library_method, words_in
from trainlint.program.origins import elsewhere
from trainlint.program.software_tests import tests_software
from trainlint.program.sources import reached
from trainlint.program.stores import Contents
from trainlint.program.values import (
    Argument,
    ClassValue,
    Context,
    FunctionValue,
    Instance,
    Library,
    LibraryObject,
    ModuleValue,
    Unresolved,
    Value,
)
from trainlint.spmd.attribute_stores import Settings
from trainlint.spmd.questions import DEEPEST
from trainlint.spmd.ranks import Evaluator
from trainlint.spmd.writes.paths import Listings, speaks

if TYPE_CHECKING:
    from trainlint.program.program import Program

#: Words for a rank, be it that of a process or of a matrix.
_RANK = frozenset(("rank", "ranks"))
_ORDER = ("Lt", "LtE", "Gt", "GtE", "Eq", "NotEq", "In", "NotIn")
_DICT = "builtins.dict"


#: What may have been written down somewhere else; not what a loop hands out, which a test may have picked.
_PASSED_ON = (Attr, Call, Entered, Global, LoopPhi, Subscript)


class PathUniformity:
    """Answers for one program. ``trusting`` while a path is asked about."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.peers = Evaluator(program, 0, lambda _: None).peers()
        self.trusting = False
        #: Whether names are those of a path, also where nothing is taken on trust.
        self._placing = False
        self._memos: dict[tuple[bool, bool], dict[tuple[Term, Context], bool]] = {}
        self._stored: dict[str, list[tuple[str, Function, Term]]] | None = None
        self.listings = Listings(program)
        self._parsers = frozenset(program.knowledge.tables["settings.parsed"]["names"])
        #: By what a value of a kind is judged; of other kinds nothing is known.
        self._handlers: dict[type[Term], Callable[[Any, Context], bool]] = {
            Const: self._of_constant,
            Ref: self._of_imported,
            Global: self._of_global_name,
            Param: self._of_parameter,
            Self: self._of_constant,
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
            **dict.fromkeys(UNKNOWNS, self._of_unknown),
        }

    def same(self, term: Term, frame: Context) -> bool:
        """Whether a term surely has one value on all ranks (or the same one at the same point of the run)."""
        memo = self._memos.setdefault((self.trusting, self._placing), {})
        key = (term, frame)
        known = memo.get(key)
        if known is None:
            memo[key] = True  # a value that is made of itself
            known = memo[key] = self._same(term, frame)
        return known

    def _same(self, term: Term, frame: Context) -> bool:
        handler = self._handlers.get(type(term))
        if handler is not None and handler(term, frame):
            return True
        untold = not isinstance(term, (Attr, Global, LoopPhi)) or not self.tells(term.name)
        found = elsewhere(self.program, term, frame) if isinstance(term, _PASSED_ON) and untold else []
        return len(found) == 1 and all(self.same(part, where) for part, where in found)

    def _all(self, terms: list[Term] | tuple[Term, ...], frame: Context) -> bool:
        return all(self.same(term, frame) for term in terms)

    # -- leaves ----------------------------------------------------------------------------------------------------

    def _of_constant(self, _term: Term, _frame: Context) -> bool:
        return True

    def _of_imported(self, term: Ref, frame: Context) -> bool:
        value = self.program.lookup(frame.module, term.name)
        if isinstance(value, Unresolved):
            return self.same(value.term, value.frame)
        if isinstance(value, Library):
            return not self.hints(value.name) and value.name not in self.program.knowledge.ranks
        return isinstance(value, ModuleValue)

    def _of_global_name(self, term: Global, frame: Context) -> bool:
        if self.tells(term.name):
            return False
        module = self.program.modules[frame.module]
        known = module.names.get(term.name)
        if known is None or known is term:
            return False
        top = self.program.frame(frame.module, module.functions["<module>"])
        if term.name in module.rebound:
            return False
        return self.same(known, top)

    def _of_parameter(self, term: Param, frame: Context) -> bool:
        holder = frame.holder(term.function)
        if holder is None:
            return False
        bound = holder.arguments.get(term.name)
        if isinstance(bound, Argument):
            return self.same(bound.term, bound.frame)
        if bound is not None or self.hints(term.name):
            return False
        if holder.caller is None and self.program.ask(FrameworkCallbacks).registration(holder.function) is not None:
            return True  # a library passes the same to all: models, and a folder
        if holder.caller is None and library_method(self.program, holder) is not None:
            return True
        default = holder.function.defaults.get(term.name)
        if default is not None and holder.depth:
            return self.same(default, self.program.frame(holder.module, holder.function))
        return holder.caller is None and (holder.function.cls is None or self.passed_alike(holder.function, term.name))

    def _of_unknown(self, term: Term, frame: Context) -> bool:
        if isinstance(term, Composite):
            return self._all(term.pieces, frame)
        drawn = term if isinstance(term, Comprehension) else None
        if drawn is None or not self._filled(term, frame):
            return False
        return self._all((drawn.of, drawn.item), frame) and all(self.harmless(test, frame) for test in drawn.tests)

    def _of_carried(self, term: LoopPhi, frame: Context) -> bool:
        """A name that a loop changes: a counter, or what else is made of things that are the same."""
        if self.tells(term.name):
            return False
        function = frame.function
        carried = carried_in(function, term)
        if carried is not None and self.marked(carried.entry, frame):
            return False
        held = held_in_rounds(function).get(term.name)
        if held is not None:
            return self.same(held, frame)
        for node in statements_of(function):
            if type(node) is Loop and term.name in node.names and node.target is not None:
                index = node.names.index(term.name) if len(node.names) > 1 else None
                return self._item_of_loop(node.subject, index, frame)
        return False

    # -- parts -----------------------------------------------------------------------------------------------------

    def _of_attribute(self, term: Attr, frame: Context) -> bool:
        name = term.name
        told = self.tells(name)
        if told and self.of_rank(name):
            return False
        values = self.program.values(term.base, frame)
        if told and not any(self._is_written_down(value, name) for value in values):
            return False
        for value in values:
            if isinstance(value, Instance):
                if not self._kept(value, name) and not self._is_declared(value, term, frame):
                    return False
            elif isinstance(value, ClassValue):
                attribute = self.program.class_attribute(value, name)
                if attribute is None or not self.same(attribute[1], attribute[0]):
                    return False
            elif isinstance(value, ModuleValue):
                found = self.program.member(value, name)
                if not isinstance(found, Unresolved) or not self.same(found.term, found.frame):
                    return False
            elif isinstance(value, Library):
                if self.hints(value.name):
                    return False
            elif isinstance(value, (LibraryObject, Unresolved)):
                alike = not self.hints(name) and self.set_alike(name)
                return alike and (self.same(term.base, frame) or self.given(term.base, frame))
            else:
                return False
        return bool(values)

    def _is_declared(self, value: Instance, term: Attr, frame: Context) -> bool:
        """Whether settings of a class that says what there is are made out of sight: then they are so on every rank."""
        cls = ClassValue(value.module, value.cls)
        if value.call is not None or term.name not in fields_of(self.program, cls) or self.program.stores(cls, term.name):
            return False
        told = self.hints(term.name) and not self._is_written_down(value, term.name)
        return not told and self.set_alike(term.name) and self.same(term.base, frame)

    def _is_written_down(self, value: object, name: str) -> bool:
        """Whether a class of settings says what one is by default: ``tmp_dir`` is then no folder of one process."""
        if not isinstance(value, Instance) or value.call is not None or self.of_rank(name):
            return False
        cls = ClassValue(value.module, value.cls)
        default = self.program.class_attribute(cls, name) if name in fields_of(self.program, cls) else None
        return default is not None and not self.program.stores(cls, name) and self.same(default[1], default[0])

    def _kept(self, value: Instance, name: str) -> bool:
        """Whether an object of the project keeps the same value on every rank."""
        cls = ClassValue(value.module, value.cls)
        method = self.program.method(cls, name)
        if method is not None:
            if method[1].kind != "property":
                return False
            inner = self.program.instance_frame(value, *method)
            return self._all_of(self.program.returns(method[1]), inner)
        stored = self.program.stores(cls, name)
        given = [] if stored else [*kept_under(self.program, value, name)]
        if given:
            return all(self.same(*each) for each in given)
        if not stored:
            attribute = self.program.class_attribute(cls, name)
            if attribute is None:  # a dict whose keys are attributes: settings, read from the command line or a file
                return self.trusting and self._is_dict(cls) and not self.hints(name) and self.set_alike(name)
            return self.same(attribute[1], attribute[0])
        for module, function, term in stored:
            if not self.same(term, self.program.instance_frame(value, module, function)):
                return False
        # what only begins as None is set from outside
        return not all(isinstance(term, Const) and term.value is None for _, _, term in stored) or self.set_alike(name)

    def _is_dict(self, cls: ClassValue) -> bool:
        return any(isinstance(base, Library) and base.name == _DICT for base in self.program.lineage(cls))

    def _all_of(self, terms: list[Term], frame: Context) -> bool:
        return bool(terms) and self._all(terms, frame)

    def set_alike(self, name: str) -> bool:
        """Whether everything that is stored under an attribute of this name, of whatever object, is the same everywhere."""
        if self._stored is None:
            self._stored = {}
            for path, function in self.program.functions():
                for node in statements_of(function):
                    if type(node) is Store and isinstance(node.target, Attr) and not isinstance(node.target.base, Self):
                        self._stored.setdefault(node.target.name, []).append((path, function, node.value))
        stored = [each for each in self._stored.get(name, ()) if not tests_software(self.program, *each[:2])]
        return all(self.same(value, self.program.frame(path, function)) for path, function, value in stored)

    def _of_item(self, term: Subscript, frame: Context) -> bool:
        base, key = term.base, term.key
        if isinstance(base, Element) and isinstance(key, Const):
            return self._item_of_loop(base.of, key.value, frame)
        if isinstance(key, Const) and isinstance(key.value, str) and self.environment(key.value):
            return False
        written = item_of(base, key) if isinstance(base, (Tuple, List)) else None
        if written is not None:
            return self.same(written, frame)
        if isinstance(base, Call) and isinstance(key, Const) and type(key.value) is int:
            for value in self.program.values(base.callee, frame):
                if isinstance(value, FunctionValue):
                    return self._returned(value, base, frame, key)
        if isinstance(key, Unknown) and not isinstance(key, Collected) and self.listings.is_listing(base, frame):
            return self.same(base, frame)  # a slice with constant bounds
        return self.same(base, frame) and self.same(key, frame)

    def _of_element(self, term: Element, frame: Context) -> bool:
        return self._item_of_loop(term.of, None, frame)

    def _item_of_loop(self, subject: Term, index: object, frame: Context) -> bool:
        """What a loop hands out: numbers of a range, the count of ``enumerate``, items of a literal."""
        if isinstance(subject, (List, Tuple, Set)):
            return self._all([_part(item, index) for item in (*subject.items, *self._put_in(subject, frame))], frame)
        if self.listings.is_listing(subject, frame):
            return self.same(subject, frame) and self._filled(subject, frame)
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
            return counted or self._all(subject.args, frame)
        for value in self.program.values(subject.callee, frame):
            shape = self.program.knowledge.iterates.get(value.name) if isinstance(value, Library) else None
            if shape == "indexed" and index == 0:
                return True
            if shape == "indexed" and index == 1 and subject.args:
                return self._item_of_loop(subject.args[0], None, frame)
            if shape == "same" and subject.args:
                return self._item_of_loop(subject.args[0], index, frame)
        return False

    # -- operators -------------------------------------------------------------------------------------------------

    def _of_sides(self, term: BinOp | Compare, frame: Context) -> bool:
        return self.same(term.left, frame) and self.same(term.right, frame)

    def _of_negation(self, term: Not, frame: Context) -> bool:
        return self.same(term.operand, frame)

    def _of_operands(self, term: And | Or, frame: Context) -> bool:
        return self._all(term.operands, frame)

    def _of_items(self, term: Tuple | Set, frame: Context) -> bool:
        return self._all(term.items, frame)

    def _of_list(self, term: List, frame: Context) -> bool:
        return self._all(term.items, frame) and self._filled(term, frame)

    def _filled(self, term: Term, frame: Context) -> bool:
        """Whether the function puts nothing into a list that is another thing on each rank."""
        return self._all(self._put_in(term, frame), frame)

    def _put_in(self, term: Term, frame: Context) -> list[Term]:
        changes = self.program.ask(Contents).changes(frame.function).get(term, ())
        return [change.value for change in changes if change.value is not None]

    def _of_dict(self, term: Dict, frame: Context) -> bool:
        return all(self.same(value, frame) for _, value in term.items)

    def _of_choice(self, term: Select, frame: Context) -> bool:
        if not (self.same(term.then, frame) and self.same(term.other, frame)):
            return False
        # An unknown condition is a ``try`` whose ways meet: whether an import worked, when it chooses between constants.
        imported = isinstance(term.test, Unknown) and isinstance(term.then, Const) and isinstance(term.other, Const)
        return imported or self.harmless(term.test, frame) or self.is_default(term.test, frame)

    def _of_slice(self, term: Slice, frame: Context) -> bool:
        return self._all(term.bounds, frame)

    # -- calls -----------------------------------------------------------------------------------------------------

    def _of_call(self, term: Call, frame: Context) -> bool:
        knowledge = self.program.knowledge
        callee = term.callee
        arguments = [*term.args, *(value for _, value in term.kwargs)]
        values = self.program.values(callee, frame)
        for value in values:
            if isinstance(value, Library):
                known = self._library(value.name, term, frame)
                if known is not None:
                    if not known:
                        return False
                    continue
            elif isinstance(value, FunctionValue):
                if not self._returned(value, term, frame):
                    return False
                continue
            elif isinstance(value, ClassValue):
                if not self._all(arguments, frame):
                    return False
                continue
            if self.given(term, frame):
                continue
            if not isinstance(callee, Attr):
                return False
            if not self.listings.by_method(term) and callee.name not in (knowledge.plain_methods | knowledge.asks_methods):
                return False
            if not self.same(callee.base, frame) and not self._parses(callee, frame):
                return False
            if not self._all(arguments, frame) and not self._parses(callee, frame):
                return False
        return bool(values)

    def _library(self, name: str, term: Call, frame: Context) -> bool | None:
        """Whether a library's function returns the same everywhere; None for one that the tables do not know."""
        knowledge = self.program.knowledge
        if name in self._parsers:
            return True
        arguments = [*term.args, *(value for _, value in term.kwargs)]
        if name in knowledge.plain or name in knowledge.transparent or name in knowledge.asks:
            if name not in knowledge.joins_paths and any(  # a text that is part of a path is what it says
                isinstance(part, Const) and isinstance(part.value, str) and self.environment(part.value) for part in arguments
            ):
                return False
            return self._parses(term.callee, frame) or self._all(arguments, frame)
        if name in knowledge.listings:
            asked = [term.callee.base, *arguments] if isinstance(term.callee, Attr) else arguments
            return self._all(asked, frame)
        if name in knowledge.seconds or self._formats(name, term):
            return True
        if name in knowledge.relists:
            return self._all(term.args, frame)
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

    def _parses(self, callee: Term, frame: Context) -> bool:
        """What a parser of the command line returns is the same for all."""
        if not isinstance(callee, Attr):
            return False
        values = self.program.values(callee.base, frame)
        return any(
            isinstance(value, LibraryObject) and f"{value.name}.{callee.name}" in self.program.knowledge.plain for value in values
        )

    def _returned(self, value: FunctionValue, call: Call, frame: Context, item: Const | None = None) -> bool:
        """Whether a function of the project returns the same everywhere, or an item of the tuple that it returns."""
        function = value.function
        if function.generator or frame.runs(function) or self.tells(function.name) or frame.depth > DEEPEST:
            return False
        inner = self.program.enter(value, call, frame)
        returned = self.program.returns(function)
        if item is None:
            return self._all_of(returned, inner)
        items = [item_of(term, item) for term in returned]
        return bool(items) and all(each is not None and self.same(each, inner) for each in items)

    # -- what is taken on trust of a path ----------------------------------------------------------------------------

    def alike(self, path: Term, frame: Context) -> bool:
        """Whether a path is the same on every rank, if what objects are made with out of sight is: a folder, by its name."""
        self.trusting = True
        try:
            return self.same(path, frame)
        finally:
            self.trusting = False

    def harmless(self, condition: Term, frame: Context) -> bool:
        """Whether a test that cannot be computed surely does not ask which rank it is.

        Comparisons of numbers and questions about files are about something else, unless a name in them says otherwise; what
        is only asked whether it is there, or is a flag, must be known to be the same everywhere.
        Of a test nothing is taken on trust.
        """
        trusting, self.trusting = self.trusting, False
        try:
            return self._is_harmless(condition, frame)
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
                    if isinstance(given, Argument) and self.marked(given.term, given.frame):
                        return False
        return True

    def given(self, term: Term, frame: Context) -> bool:
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
            unseen = all(type(value) is Unresolved for value in self.program.values(term.callee, frame))
            return unseen and not self.hinting(term.callee) and not self.marked(term.callee.base, frame)
        name = term.name if isinstance(term, (Attr, Param, Global)) else ""
        if name.lower() in self.program.knowledge.settings and not self.hinting(term, frame.module):
            values = self.program.values(term, frame)
            return all(
                type(value) is Unresolved or (type(value) is LibraryObject and not self.hints(value.name)) for value in values
            )
        return isinstance(term, Param) and not self.hints(term.name) and frame.given(term) is None

    def is_default(self, condition: Term, frame: Context) -> bool:
        """Whether a test asks if something was handed in that is taken on trust."""
        if not (isinstance(condition, Compare) and condition.op in ("Is", "IsNot") and isinstance(condition.right, Const)):
            return False
        return self.trusting and self.same(condition.left, frame)

    # -- tests that surely do not ask which rank it is ---------------------------------------------------------------

    def _is_harmless(self, condition: Term, frame: Context) -> bool:
        if isinstance(condition, Not):
            return self.harmless(condition.operand, frame)
        if isinstance(condition, (And, Or)):
            return all(self.harmless(part, frame) for part in condition.operands)
        if isinstance(condition, Const):
            return True
        if isinstance(condition, Compare) and condition.op in _ORDER and not self.hinting(condition, frame.module, clock=False):
            return not self._asks_for_first(condition, frame) and all(self._measured(side, frame) for side in condition.sides)
        if isinstance(condition, Unknown) and not isinstance(condition, Composite):
            return False
        if self._owned(condition, frame):
            return False
        self._placing, placing = isinstance(condition, Call) and self._asks_for_file(condition, frame), self._placing
        try:
            if self.same(condition, frame):
                return True
        finally:
            self._placing = placing
        return self._configured(condition, frame) or self._setting(condition, frame) or self._answered(condition, frame)

    def _asks_for_file(self, call: Call, frame: Context) -> bool:
        return any(
            isinstance(each, Library) and each.name in self.program.knowledge.asks
            for each in self.program.values(call.callee, frame)
        )

    def _asks_for_first(self, condition: Compare, frame: Context) -> bool:
        """Whether a number that is handed in out of sight is compared with 0: as the rank is, whatever it is called."""
        number, zero = condition.sides if isinstance(condition.right, Const) else condition.sides[::-1]
        if condition.op not in ("Eq", "NotEq") or whole_number(zero) != 0:
            return False
        return isinstance(number, (Attr, Param)) and self._is_somebodys(number, frame)

    def _is_somebodys(self, term: Term, frame: Context) -> bool:
        """Whether a term may be what somebody out of sight hands in."""
        return any(
            isinstance(value, Unresolved) and isinstance(value.term, Param) and self.handed(value.term, value.frame)
            for value in self.program.values(term, frame)
        )

    def _owned(self, term: Term, frame: Context) -> bool:
        """Whether a test asks for a thing that is handed in out of sight, perhaps on one rank only (``if writer:``)."""
        if isinstance(term, Compare) and term.op in ("Is", "IsNot"):
            term = term.left
        if isinstance(term, Attr) and self._set_by_some(term, frame):
            return True
        named = isinstance(term, (Attr, Param)) and speaks(term.name, self.program.knowledge.owned)
        return named and self._is_somebodys(term, frame)

    def _set_by_some(self, term: Attr, frame: Context) -> bool:
        """Whether a method of the object sets an attribute of it that is called under a test for the rank."""
        owners = [value for value in self.program.values(term.base, frame) if isinstance(value, Instance)]
        stores = [each for owner in owners for each in self.program.stores(ClassValue(owner.module, owner.cls), term.name)]
        return any(
            self.marked(condition, caller)
            for _, method, _ in stores
            for caller, tests in self.program.ask(Settings).leading(method)
            for condition, _ in tests
        )

    def _setting(self, term: Term, frame: Context) -> bool:
        """A flag that an object or the caller was given out of sight: a setting, by its name, and not one of the rank's own.

        What stands for a thing (``if self.writer``) is none: only one rank may have it.
        """
        first = term
        while isinstance(first, Attr):
            first = first.base
        if not isinstance(first, (Param, Self, Global, Ref)) or not isinstance(term, (Attr, Param)):
            return False
        words = self.program.knowledge.owned
        if speaks(term.name, words) or self.hinting(term, frame.module, clock=False) or self.marked(term, frame):
            return False
        return all(self._plain(value) for value in self.program.values(term, frame))

    def _plain(self, value: Value) -> bool:
        if isinstance(value, LibraryObject) and value.call is not None and value.frame is not None:
            return self.same(value.call, value.frame)  # the field of a class of settings
        return isinstance(value, Unresolved) and (
            isinstance(value.term, (Attr, Param, Const)) or self.same(value.term, value.frame)
        )

    def _answered(self, term: Term, frame: Context) -> bool:
        """What functions of the project answer, or whether they do, that have nothing in them that may be about the rank."""
        if isinstance(term, Compare) and term.op in ("Is", "IsNot") and isinstance(term.right, Const):
            return self._answered(term.left, frame)
        if not isinstance(term, Call) or self.hinting(term, frame.module, clock=False):
            return False
        targets = self.program.ask(CallGraph).targets(term, frame)
        return bool(targets) and all(isinstance(each, FunctionValue) and self._unmarked(each) for each in targets)

    @remembered()
    def _unmarked(self, target: FunctionValue) -> bool:
        terms = (term for node in statements_of(target.function) for term in _asked(node))
        return not self.program.ask(Communication).runs(target.function) and not any(
            self.hinting(term, target.module, clock=False) for term in terms
        )

    def _configured(self, term: Term, frame: Context) -> bool:
        """An entry of something that a library made: a configuration that was read, not the state of this process."""
        while isinstance(term, (Attr, Subscript)):
            name = term.name if isinstance(term, Attr) else term.key.value if isinstance(term.key, Const) else None
            if not isinstance(name, str) or self.hints(name) or not self.set_alike(name):
                return False
            term = term.base
            if isinstance(term, Call):
                values = self.program.values(term, frame)
                return bool(values) and all(isinstance(value, LibraryObject) and not self.hints(value.name) for value in values)
        return False

    def _measured(self, term: Term, frame: Context) -> bool:
        """Whether one side of a comparison is what its name says: no parameter or result that may hide a rank."""
        values = self.program.values(term, frame) if isinstance(term, (Param, Attr, Call, Global)) else ()
        return not any(isinstance(value, Unresolved) and value.term is not term and self.hinting(value.term) for value in values)

    # -- whether the rank, or what somebody out of sight hands in, may be in a value ---------------------------------

    @remembered()
    def marked(self, term: Term, frame: Context) -> bool:
        """Whether a value may have the rank in it, by some name on the way to where it comes from."""
        return any(self._names_rank(*each) for each in reached(self.program, term, frame, self._put_together))

    def _put_together(self, term: Term, frame: Context) -> list[Argument]:
        """The parts of a value, and what it was before it got its name."""
        values = (value for value in self.program.values(term, frame) if isinstance(value, Unresolved) and value.term is not term)
        parts = term.pieces if isinstance(term, Unknown) else term.subterms()
        return [
            *(Argument(value.term, value.frame) for value in values),
            *(Argument(part, frame) for part in parts if not isinstance(part, (Const, Self))),
        ]

    def _names_rank(self, term: Term, frame: Context) -> bool:
        name = term.name if isinstance(term, (Attr, Param, Global, Ref, LoopPhi, Nested)) else ""
        return self.differs(term, frame) or (isinstance(name, str) and self.of_rank(name))

    def differs(self, term: Term, frame: Context) -> bool:
        """Whether the ranks are known to compute different values."""
        return self.peers[0].differs(term, frame)

    @remembered()
    def handed(self, term: Term, frame: Context) -> bool:
        """Whether a value is, or is made of, a parameter that nobody in sight passes: somebody else may pass one per rank."""
        return any(self._is_handed(*each) for each in reached(self.program, term, frame, self._made_of))

    def _made_of(self, term: Term, frame: Context) -> list[Argument]:
        if isinstance(term, Param):
            passed = frame.given(term)
            return [passed] if isinstance(passed, Argument) else []
        if isinstance(term, Attr) and isinstance(term.base, Param):
            return []
        parts = term.pieces if isinstance(term, Unknown) else term.subterms()
        return [Argument(part, frame) for part in parts if not isinstance(part, (Const, Ref, Global, Self))]

    def _is_handed(self, term: Term, frame: Context) -> bool:
        if not isinstance(term, Param) or isinstance(frame.given(term), Argument):
            return False
        holder = frame.holder(term.function)
        return holder is None or holder.depth == 0 or term.name not in holder.function.defaults

    # -- by the words in names ---------------------------------------------------------------------------------------

    @remembered()
    def hints(self, name: str) -> bool:
        """Whether a name says that this may be another one in each process."""
        return self.tells(name) or not self.program.knowledge.clock_words.isdisjoint(words_in(name))

    def tells(self, name: str) -> bool:
        """Whether it says so for another reason than that a clock is read."""
        return self.of_rank(name) or not self.program.knowledge.unique_words.isdisjoint(words_in(name))

    def of_rank(self, name: str) -> bool:
        """Whether a name says that this may have to do with the rank; ``dist_folder``, that of a path, says it of the job."""
        words = {*words_in(name)}
        told = words & self.program.knowledge.rank_hints
        if self.trusting or self._placing:
            told -= self.program.knowledge.rank_modes
        return bool(told) and not (told <= _RANK and not words.isdisjoint(self.program.knowledge.matrix_words))

    def is_mode(self, condition: Term) -> bool:
        """Whether a test asks for a setting by whose name there are several processes, whichever this one is (``cfg.fsdp``)."""
        known = self.program.knowledge
        names = []
        while isinstance(condition, (Attr, Subscript)):
            if isinstance(condition, Attr):
                names.append(condition.name)
            elif isinstance(condition.key, Const):
                names.append(str(condition.key.value))
            else:
                break
            condition = condition.base
        if not isinstance(condition, (Param, Global, Self, Ref)):
            return False
        names.append(condition.name if not isinstance(condition, Self) else "")
        words = {word for name in names for word in words_in(name)}
        return not words.isdisjoint(known.rank_modes) and (words & known.rank_hints) <= known.rank_modes

    def hinting(self, term: Term, module: str = "", *, clock: bool = True) -> bool:
        """Whether some name in a term does; with its file, also in what unknown values are said to be made of.

        Without ``clock``, names of times do not count.
        """
        hints = self.hints if clock else self.tells
        for part in parts_through(term, lambda each: (*(each.pieces if module else ()), *each.subterms())):
            if isinstance(part, (Attr, Param, Global, Ref, LoopPhi, Nested)) and hints(part.name):
                return True
        return False


def _asked(node: Statement) -> tuple[Term, ...]:
    """What a statement calls, tests, stores or returns."""
    if type(node) is CallStep:
        return (node.term,)
    if type(node) is If:
        return (node.condition,)
    if type(node) is Store:
        return (node.value,)
    return (node.value,) if type(node) is Exit and node.value is not None else ()


def _part(item: Term, index: object) -> Term:
    """An item of a written-out list, or the part of it at an index."""
    if not isinstance(item, (Tuple, List)):
        return item
    found = position(item, index)
    return item if found is None else at(item, found)
