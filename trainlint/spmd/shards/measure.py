"""How many rounds a loop makes on one rank, with one set of example values."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any

from trainlint.ir.bindings import Carried
from trainlint.ir.nodes import (
    And,
    Asserted,
    Attr,
    BinOp,
    BoolOp,
    Call,
    Collected,
    Compare,
    Comprehension,
    Const,
    Dict,
    Element,
    Global,
    List,
    LoopPhi,
    Not,
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
from trainlint.ir.operators import COMPARE, TURNED, connected
from trainlint.ir.pragmas import UNIFORM
from trainlint.ir.sketch import CallStep, Loop, Statement, Yield
from trainlint.ir.terms import dotted_name, is_own, parts_of
from trainlint.ir.walk import walk
from trainlint.program.call_graph import last_name
from trainlint.program.loops import is_range
from trainlint.program.program import Program
from trainlint.program.values import (
    Argument,
    ClassValue,
    Context,
    FunctionValue,
    Instance,
    Library,
    LibraryObject,
    Unresolved,
    Value,
)
from trainlint.spmd.loop_rounds import deciding
from trainlint.spmd.ranks import Evaluator
from trainlint.spmd.shards.amounts import ENDLESS, OPERATE, ROUND, Amount, Example, operated, rounded
from trainlint.spmd.shards.item_counts import ItemsMade, changed_in, exchanged, goes_into, has, padded_to, reads
from trainlint.spmd.shards.sizes import SIZES, left_out, loaded, prepared
from trainlint.spmd.symbols import WORLD, Choice, Something, Uniform, Varying, World

#: Rounds that are gone through.
_MOST_ROUNDS = 4_000
_DIVIDED = ("FloorDiv", "Mod")
#: Numbers that a library's attribute is taken to be (one worker loads a rank's data).
_KNOWN = {"zero": 0, "one": 1}


class Measure:
    """Counts for one rank.

    ``ranked`` is set when an answer depended on which rank it is, ``dropping`` when incomplete batches are left out;
    ``origins`` are the slices and calls that give ranks a part of their own; ``frames`` are the activations that something
    was read in; ``held`` are the numbers that names hold in the round of a ``while`` loop that is gone through.
    """

    def __init__(self, program: Program, peer: Evaluator, example: Example) -> None:
        self.program = program
        self.peer = peer
        self.example = example
        self.ranked = False
        self.dropping = False
        #: What is being counted.
        self._counting: set[tuple[str, Term, Context]] = set()
        self.origins: dict[tuple[Term, Context], None] = {}
        self.frames: set[Context] = set()
        self.held: dict[Term, Amount] = {}

    # -- numbers ---------------------------------------------------------------------------------------------------

    def number(self, term: Term, frame: Context) -> Amount:
        """A number on this rank; an unknown one that is the same everywhere is a small example, others are None.

        So is one that is not finite: what never ends (``len`` of an endless sampler) has a length only where that is asked for.
        """
        found = self._number(term, frame)
        return found if found is None or math.isfinite(found) else None

    def _number(self, term: Term, frame: Context) -> Amount:
        self.frames.add(frame)
        if term in self.held:
            return self.held[term]
        if self.agreed(term, frame):
            return None
        counted = self._called(term, frame) if isinstance(term, Call) and self._is_length(term) else None
        if counted is not None:
            return counted
        value, asked = self.peer.evaluate(term, frame)
        plain = self._plain(value)
        if plain is not None:
            self.ranked = self.ranked or asked
            return plain
        if isinstance(value, Varying) and isinstance(term, (Param, Attr, Global)):
            self.ranked = True
            return self.peer.rank
        question = ("number", term, frame)
        if question in self._counting:
            return None
        self._counting.add(question)
        try:
            if asked and isinstance(term, Call) and type(value) is Uniform and _is_elsewhere(value.key, term):
                self.ranked = True  # what a function returns on this rank
                return self.number(*value.key)
            return self._computed(term, frame)
        finally:
            self._counting.discard(question)

    def _plain(self, value: Any) -> Amount:
        """A value that is a number; of two, by an unknown condition, the one that is known."""
        if isinstance(value, Choice):
            then, other = self._plain(value.then), self._plain(value.other)
            if then is None or other is None:
                return then if other is None else other
            return other if self.example.pick(value.condition.key, 2) else then
        if isinstance(value, (int, float)):
            return int(value) if isinstance(value, int) else value
        return int(value) if isinstance(value, str) and value.isdigit() else None

    def _computed(self, term: Term, frame: Context) -> Amount:
        if isinstance(term, BinOp):
            left, right = self.number(term.left, frame), self.number(term.right, frame)
            return operated(term.op, left, right)
        if isinstance(term, (Compare, Not)):
            return self.truth(term, frame)
        if isinstance(term, Select):
            truth = self.truth(term.test, frame)
            return None if truth is None else self.number(term.then if truth else term.other, frame)
        if (
            isinstance(term, Subscript)
            and isinstance(term.key, Const)
            and term.key.value == 0
            and isinstance(term.base, Attr)
            and self._measures(term.base.name)
        ):
            return self.length(term.base.base, frame)
        if isinstance(term, Subscript) and isinstance(term.base, Call) and isinstance(term.key, Const):
            divided = self._divided(term.base, term.key.value, frame)
            if divided is not None:
                return divided
        if isinstance(term, Call):
            return self._called(term, frame)
        if isinstance(term, Attr) and self._inherited(term, frame):
            return None
        found = self.program.values(term, frame)
        if not found:
            return None
        return self._followed(found[self.example.pick((term, id(frame.function)), len(found))], term, frame)

    def _divided(self, call: Call, item: object, frame: Context) -> Amount:
        """An item of ``divmod(a, b)``."""
        rounding = self.program.knowledge.rounding
        named = (v.name for v in self.program.values(call.callee, frame) if isinstance(v, Library))
        if len(call.args) < len(_DIVIDED) or not any(rounding.get(name) == "divmod" for name in named):
            return None
        operation = _DIVIDED[item == 1]
        return operated(operation, self.number(call.args[0], frame), self.number(call.args[1], frame))

    def _inherited(self, term: Attr, frame: Context) -> bool:
        """Whether an attribute may be one of a library's sampler, which keeps the numbers of its even parts in attributes."""
        sizes = self.program.knowledge.sizes
        for base in self.program.values(term.base, frame):
            if isinstance(base, Instance):
                lineage = self.program.lineage(ClassValue(base.module, base.cls))
                if any(isinstance(above, Library) and sizes.get(above.name) == "even" for above in lineage):
                    return True
        return False

    def _measures(self, name: str) -> bool:
        return name in self.program.knowledge.measures

    def _followed(self, value: Value, term: Term, frame: Context) -> Amount:
        """The number behind one of the values of a term."""
        if isinstance(value, LibraryObject) and value.call is not None and value.frame is not None and value.call is not term:
            return self.number(value.call, value.frame)
        if isinstance(value, Unresolved) and (value.term is not term or value.frame is not frame):
            return self.number(value.term, value.frame)
        if isinstance(value, Library):
            return _KNOWN.get(self.program.knowledge.sizes.get(value.name, ""))
        return self._open(term, frame) if isinstance(value, Unresolved) else None

    def _called(self, term: Call, frame: Context) -> Amount:
        knowledge = self.program.knowledge
        for target in self.program.values(term.callee, frame):
            name = target.name if isinstance(target, Library) else ""
            arguments = term.args
            if name in knowledge.measures and arguments:
                return self.length(arguments[0], frame)
            word = knowledge.rounding.get(name)
            if word in ROUND and arguments:
                return rounded(word, [self.number(argument, frame) for argument in arguments])
        if isinstance(term.callee, Attr) and self._measures(term.callee.name) and not term.kwargs:
            return self.length(term.callee.base, frame)
        for value in self.program.values(term, frame):
            if isinstance(value, Unresolved) and value.term is not term:
                return self.number(value.term, value.frame)
            if isinstance(value, LibraryObject) and value.call is not term and value.call is not None and value.frame is not None:
                return self.number(value.call, value.frame)
        return None

    def _open(self, term: Term, frame: Context) -> Amount:
        """What nobody sets here: an argument, an option. What the object keeps, or a call returns, may be anything."""
        root = term
        while isinstance(root, (Attr, Subscript)):
            root = root.base
        if not isinstance(term, (Param, Attr, Global, Subscript)) or not isinstance(root, (Param, Global, Attr, Ref, Call)):
            return None
        if isinstance(term, Subscript) and isinstance(term.key, Slice):
            return None  # a part of a list is no number
        if isinstance(term, Attr):
            for base in self.program.values(term.base, frame):
                if isinstance(base, Instance) and self._hidden(base):
                    return None
        return self.example.number(self.key(term, frame))

    def _hidden(self, instance: Instance) -> bool:
        """Whether a class has parts that are out of sight, which may set its attributes."""
        lineage = list(self.program.lineage(ClassValue(instance.module, instance.cls)))
        return any(isinstance(cls, Library) for cls in lineage) or any(
            last_name(base) is None for cls in lineage if isinstance(cls, ClassValue) for base in cls.cls.bases
        )

    def key(self, term: Term, frame: Context) -> Hashable:
        """What makes two unknowns the same: the symbol that the evaluation of ranks has for them.

        A call that is given the same symbols in two activations of its function is the same in both.
        """
        value = self.peer.value(term, frame)
        key: Hashable = value.key if isinstance(value, (Uniform, Something)) else (term, frame)
        if isinstance(term, Call) and key == (term, frame):
            given = [self.peer.value(each, frame) for each in (*term.args, *(value for _, value in term.kwargs))]
            if all(isinstance(each, (Uniform, Something, bool, int, str)) for each in given):
                return (term, id(frame.function), *given)
        return key

    # -- tests -----------------------------------------------------------------------------------------------------

    def truth(self, term: Term, frame: Context) -> bool | None:
        """Whether a condition holds on this rank; an unknown one that is the same everywhere holds in some examples."""
        lengths = isinstance(term, Compare) and (self._is_length(term.left) or self._is_length(term.right))
        compared = self._compared(term, frame) if lengths else None
        if compared is not None:
            return compared
        value, asked = self.peer.evaluate(term, frame)
        if isinstance(value, Something) or value is None or isinstance(value, (bool, int, str)):
            self.ranked = self.ranked or asked
            return isinstance(value, Something) or bool(value)
        if isinstance(term, (Not, BoolOp)):
            return connected(term, lambda part: self.truth(part, frame))
        if (
            isinstance(term, Compare)
            and term.op in ("Is", "IsNot")
            and isinstance(term.right, Const)
            and term.right.value is None
        ):
            found = self.program.values(term.left, frame)
            if found and all(_is_object(each) for each in found):
                return bool(term.op == "IsNot")
        compared = self._compared(term, frame)
        if compared is not None:
            return compared
        if isinstance(term, BinOp) and term.op in OPERATE:
            number = self.number(term, frame)
            return None if number is None else number != 0
        if isinstance(value, Varying):
            return None
        return bool(self.example.pick(("holds", value.key if isinstance(value, Uniform) else (term, id(frame.function))), 2))

    def _is_length(self, term: Term) -> bool:
        """Whether a term counts items. Those that a loop puts into a list on this rank are counted here, not by the evaluator."""
        return isinstance(term, Call) and len(term.args) == 1 and dotted_name(term.callee) in self.program.knowledge.measures

    def _compared(self, term: Term, frame: Context) -> bool | None:
        """What a comparison of two numbers says, where both are known."""
        if not isinstance(term, Compare) or term.op not in TURNED:
            return None
        if not self._numeric(term.left) or not self._numeric(term.right):
            return None
        left, right = self.number(term.left, frame), self.number(term.right, frame)
        return None if left is None or right is None else COMPARE[term.op](left, right)

    def _numeric(self, term: Term) -> bool:
        return not isinstance(term, Const) or isinstance(term.value, (int, float))

    def agreed(self, term: Term, frame: Context) -> bool:
        """Whether the ranks exchange what a term holds, or what it reads an item of: it is then no longer this rank's."""
        known = self.program.ask_of(exchanged, frame.function)
        while known and isinstance(term, (Subscript, Call, List, BinOp, Select, Param, Unknown)):
            if term in known:
                return True
            if isinstance(term, Subscript):
                term = term.base
            elif isinstance(term, Call) and isinstance(term.callee, Attr) and not term.args:
                term = term.callee.base  # `.item()`, `.tolist()`
            elif (
                isinstance(term, Call) and len(term.args) == 1 and dotted_name(term.callee) in self.program.knowledge.transparent
            ):
                term = term.args[0]
            else:
                return False
        return False

    def differs(self, term: Term, frame: Context) -> bool:
        """Whether a term has different values on the ranks."""
        _, asked = self.peer.evaluate(term, frame)
        return asked and self.peer.differs(term, frame)

    # -- lengths ---------------------------------------------------------------------------------------------------

    def length(self, term: Term, frame: Context) -> Amount:
        """How many items this rank gets; ENDLESS when it never ends, None when that cannot be said."""
        question = ("length", term, frame)
        if question in self._counting or self._changed(term, frame) or self.agreed(term, frame):
            return None
        self.frames.add(frame)
        self._counting.add(question)
        try:
            return self._length(term, frame)
        finally:
            self._counting.discard(question)

    def _length(self, term: Term, frame: Context) -> Amount:
        if isinstance(term, Select):
            truth = self.truth(term.test, frame)
            return None if truth is None else self.length(term.then if truth else term.other, frame)
        if isinstance(term, Asserted):  # by a comment: there are equally many on all ranks
            return self.example.size((term, frame)) if term.word == UNIFORM else self.length(term.value, frame)
        if isinstance(term, Subscript):
            return self.part(term, frame)
        if isinstance(term, BinOp):
            return self._joined(term, frame)
        if isinstance(term, (List, Tuple, Set)):
            if not term.items:
                return self.filled(term, frame)
            return None if any(isinstance(item, Unknown) for item in term.items) else len(term.items)
        if isinstance(term, Const):
            return None
        if isinstance(term, Attr):
            for base in self.program.values(term.base, frame):
                if isinstance(base, Instance) and self.program.stores(ClassValue(base.module, base.cls), term.name):
                    return self._of_attribute(base, term, frame)
        chosen = self._chosen(term, frame)
        if chosen is not None:
            return self.length(*chosen)
        found = self.program.values(term, frame)
        if not found:
            return None
        return self.of(found[self.example.pick((term, id(frame.function)), len(found))], term, frame)

    def _chosen(self, term: Term, frame: Context) -> Argument | None:
        """What a function of the project returns that chooses one of several things by a test, which this rank can answer."""
        targets = self.program.values(term.callee, frame) if isinstance(term, Call) else ()
        if len(targets) != 1 or not isinstance(term, Call) or not isinstance(target := targets[0], FunctionValue):
            return None
        results = self.program.returns(target.function)
        if target.function.generator or frame.runs(target.function) or len(results) != 1 or not isinstance(results[0], Select):
            return None
        return Argument(results[0], self.program.enter(target, term, frame))

    def _joined(self, term: BinOp, frame: Context) -> Amount:
        """``a + b``, ``a * n``."""
        if term.op == "Add":
            total = padded_to(term.left, term.right)
            if total is not None:
                number = self.number(total, frame)
                return number if number is not None and number % WORLD == 0 else None
            left, right = self.length(term.left, frame), self.length(term.right, frame)
            return None if left is None or right is None else left + right
        if term.op == "Mult":
            for items, times in ((term.left, term.right), (term.right, term.left)):
                if isinstance(items, (List, Tuple, Call, Subscript, BinOp, Attr, Param)):
                    length, number = self.length(items, frame), self.number(times, frame)
                    if length is not None and number is not None:
                        return length * number
        return None

    def of(self, value: Value, term: Term, frame: Context) -> Amount:
        """How many items one of the values of a term has."""
        if isinstance(value, Unresolved):
            if value.term is not term or value.frame is not frame:
                return self.length(value.term, value.frame)
            return self._bare(term, frame)
        if isinstance(value, LibraryObject):
            return self._made(value)
        if isinstance(value, Instance):
            return self.of_object(value)
        return self.example.size(self.key(term, frame))

    def _bare(self, term: Term, frame: Context) -> Amount:
        """What cannot be followed further: a comprehension, a generator, a method of an unknown, or just data."""
        if isinstance(term, LoopPhi):
            return None
        if isinstance(term, Unknown):
            known = self.drawn(term, frame)
            return known if known is not None else None if isinstance(term, Collected) else self.example.size((term, frame))
        if isinstance(term, Call):
            if any(isinstance(t, FunctionValue) and t.function.generator for t in self.program.values(term.callee, frame)):
                return self.generated(term, frame)
            word = self.program.knowledge.sizes.get(term.callee.name) if isinstance(term.callee, Attr) else None
            return self.split(word, term, frame) if word is not None else self._of_call(term, frame)
        return None if self.differs(term, frame) else self.example.size(self.key(term, frame))

    def _of_call(self, term: Call, frame: Context) -> Amount:
        """What an unknown call returns is some data, unless it was told something of the ranks: then it may be an even part."""
        arguments = (*term.args, *(value for _, value in term.kwargs))
        if any(self.peer.evaluate(argument, frame)[1] or self._of_world(argument, frame) for argument in arguments):
            return None
        return self.example.size(self.key(term, frame))

    def _of_world(self, term: Term, frame: Context) -> bool:
        """Whether a term mentions the number of ranks."""
        return any(isinstance(self.peer.value(part, frame), World) for part in parts_of(term))

    def _made(self, value: LibraryObject) -> Amount:
        """What a library call returned."""
        knowledge = self.program.knowledge
        call, frame = value.call, value.frame
        kind = knowledge.kinds.get(value.name)
        if kind == "loader" or knowledge.sizes.get(value.name) == "loader":
            return loaded(self, value)
        if value.name in knowledge.lengths:
            return knowledge.lengths[value.name]
        if call is None or frame is None:
            return self.example.size(value.name)
        if kind == "prepared":
            return prepared(self, call, frame)
        word = knowledge.sizes.get(value.name)
        if word is None and isinstance(call.callee, Attr):
            word = knowledge.sizes.get(call.callee.name)
        if word is None and isinstance(call.callee, Ref):
            word = knowledge.sizes.get(value.name.rpartition(".")[2]) if "." in value.name and self._method(value.name) else None
        return self.split(word, call, frame) if word is not None else self._of_call(call, frame)

    def _method(self, name: str) -> bool:
        """Whether a dotted name is a method: of a class, or of what another call returned."""
        return any(part[:1].isupper() for part in name.split(".")[:-1])

    def _changed(self, term: Term, frame: Context) -> bool:
        """Whether items are put into, or taken out of, what a local name holds."""
        if not isinstance(term, (Call, BinOp, Subscript, Unknown, Param, Global, Attr)):
            return False
        return term in self.program.ask_of(changed_in, frame.function)

    def _of_attribute(self, owner: Instance, term: Attr, frame: Context) -> Amount:
        """What an object keeps under a name: one of the things stored there, when nothing changes it afterwards."""
        cls, name = ClassValue(owner.module, owner.cls), term.name
        stores = [store for store in self.program.stores(cls, name) if not isinstance(store[2], Const)]
        for qualname in owner.cls.methods.values():
            changed = self.program.ask_of(changed_in, self.program.modules[owner.module].functions[qualname])
            if any(is_own(each, name) for each in changed):
                return None
        if any(reads(value, term) for _, _, value in stores):
            return None
        standing = [a for i, a in enumerate(stores) if not any(b[1] is a[1] and goes_into(a[2], b[2]) for b in stores[i + 1 :])]
        if not standing:
            return None
        module, function, value = standing[self.example.pick((term, id(frame.function)), len(standing))]
        return self.length(value, self.program.instance_frame(owner, module, function))

    # -- calls and objects -----------------------------------------------------------------------------------------

    def split(self, word: str, call: Call, frame: Context) -> Amount:
        """How many items a call hands out on this rank, by its word in the table ``sizes``."""
        counted = SIZES.get(word)
        return counted(self, call, frame) if counted is not None else None

    def parameters(self, call: Call, frame: Context) -> list[str]:
        """What the positional parameters of a callee are called, whatever name it goes by here (``KINDS["weighted"](…)``)."""
        known = self.program.knowledge.size_parameters
        values = self.program.values(call.callee, frame)
        meant = (value.name.rpartition(".")[2] for value in values if isinstance(value, (Library, LibraryObject)))
        return next((known[name] for name in (*meant, last_name(call.callee) or "") if name in known), [])

    def argument(self, call: Call, frame: Context, position: int) -> Term | None:
        """An argument of a call, by its position or the keyword that stands for it."""
        names = self.parameters(call, frame)
        for name, value in call.kwargs:
            if position < len(names) and name == names[position]:
                return value
        return call.args[position] if len(call.args) > position else None

    def of_object(self, value: Instance) -> Amount:
        """How many items an object of the project hands out: by its ``__iter__``, or its ``__len__`` and ``__getitem__``."""
        cls = ClassValue(value.module, value.cls)
        own = self.program.method(cls, "__iter__")
        if own is not None:
            frame = self.program.instance_frame(value, *own)
            if own[1].generator:
                return self.yielded(FunctionValue(own[0], own[1], value), frame)
            return self._returned(own[1].qualname, self.program.returns(own[1]), frame)
        for above in self.program.lineage(cls):
            if isinstance(above, Library):
                word = self.program.knowledge.sizes.get(above.name)
                if word == "even":
                    return self.example.size(("even", value.cls.qualname))
                if self.program.knowledge.kinds.get(above.name) in ("loader", "stream", "sampler"):
                    return None
        size = self.program.method(cls, "__len__")
        if size is None:
            return None
        results = self.program.returns(size[1])
        frame = self.program.instance_frame(value, *size)
        if not results:
            return None
        self.frames.add(frame)
        return self.number(results[self.example.pick((size[1].qualname, "returns"), len(results))], frame)

    def _returned(self, name: str, results: list[Term], frame: Context) -> Amount:
        if not results:
            return None
        result = results[self.example.pick((name, "returns"), len(results))]
        return None if isinstance(result, Self) else self.length(result, frame)

    # -- loops, and parts of things --------------------------------------------------------------------------------

    def rounds(self, loop: Loop, frame: Context) -> Amount:
        """How many rounds this rank makes of a loop; None when that cannot be said."""
        if loop.kind == "for":
            return self.length(loop.subject, frame)
        names = deciding((loop.subject,), frame)
        saved = self.held
        try:
            held: dict[Term, Amount] = {each.name: self._number_before(each, frame) for each in names}
            for done in range(_MOST_ROUNDS if names else 0):
                if None in held.values():
                    return None
                self.held = {**saved, **held}
                goes_on = self.truth(loop.subject, frame)
                if not goes_on:
                    return None if goes_on is None else done
                held = {each.name: self.number(each.back, frame) for each in names}
            return None
        finally:
            self.held = saved

    def _number_before(self, carried: Carried, frame: Context) -> Amount:
        """What a name holds before the first round; a stride that begins at the rank is the number of ranks."""
        name, first, last = carried
        if isinstance(last, BinOp) and last.op == "Add" and last.left is name and self.differs(first, frame):
            self.settle(first, last.right, frame)
        return self.number(first, frame)

    def part(self, term: Subscript, frame: Context) -> Amount:
        """How many items are in ``x[a:b:c]``, ``x[key]``, or in one of the parts that something was cut into."""
        base, key = term.base, term.key
        if isinstance(key, Tuple) and key.items and isinstance(key.items[0], Slice):
            key = key.items[0]
        if isinstance(base, Attr) and self.program.knowledge.sizes.get(base.name) == "receiver":
            base = base.base
        if isinstance(key, Slice):
            if self.differs(key.lower, frame) or self.differs(key.upper, frame):
                self.origins.setdefault((term, frame))
            return self._sliced(base, key, frame)
        if isinstance(key, Unknown):
            return None
        cut = self._cut(base, key, frame)
        if cut is not False:
            self.origins.setdefault((term, frame))
            return cut
        if self.differs(key, frame):
            return self.dealt(term, frame)
        found = self.program.values(term, frame)
        value = found[self.example.pick((term, id(frame.function)), len(found))] if found else None
        if isinstance(value, Unresolved) and value.term is term and value.frame is frame:
            return self.example.size(self.key(term, frame))
        return self.of(value, term, frame) if value is not None else None

    def _sliced(self, base: Term, key: Slice, frame: Context) -> Amount:
        lower, upper, step = key.lower, key.upper, key.step
        if not left_out(step) and not self.settle(lower, step, frame):
            return None
        length = self.length(base, frame)
        if not left_out(step) and not left_out(upper) and self.differs(lower, frame):
            length = self._stated(upper, length, frame)
        if length is None or length == ENDLESS:
            return length
        bounds: list[int | None] = []
        for bound in (lower, upper, step):
            number = None if left_out(bound) else self.number(bound, frame)
            if number is None and not left_out(bound):
                return length if bound is step and not self.differs(lower, frame) else None
            bounds.append(None if number is None else int(number))
        if bounds[2] == 0:
            return None
        return len(range(*slice(*bounds).indices(int(length))))

    def _stated(self, upper: Term, length: Amount, frame: Context) -> Amount:
        """``x[rank:total:world]``: who gives the end takes it for the length, and mostly has it made a multiple."""
        total = self.number(upper, frame)
        if total is not None and total % WORLD == 0:
            return total
        return length if isinstance(upper, Call) else None

    def settle(self, lower: Term, step: Term, frame: Context) -> bool:
        """``x[rank::n]``: whatever the stride is called, it is the number of ranks; False when it is another one."""
        if not self.differs(lower, frame):
            return True
        if not isinstance(self.peer.value(step, frame), int):
            self.example.fixed.setdefault(self.key(step, frame), WORLD)
        number = self.number(step, frame)
        return number is not None and number % WORLD == 0

    def _cut(self, base: Term, key: Term, frame: Context) -> Amount | bool:
        """An item of what a call cut something into; False when it is no such thing."""
        knowledge = self.program.knowledge
        for value in self.program.values(base, frame):
            call = value.call if isinstance(value, LibraryObject) else value.term if isinstance(value, Unresolved) else None
            inner = value.frame if isinstance(value, (LibraryObject, Unresolved)) else None
            if call is not None and inner is not None and isinstance(call, Unknown) and self.differs(key, frame):
                found = self.drawn_item(call, inner, self.number(key, frame))
                if found is not None:
                    return found
            if call is None or inner is None or not isinstance(call, Call):
                continue
            name = value.name if isinstance(value, LibraryObject) else ""
            word = knowledge.sizes.get(name) or (knowledge.sizes.get(call.callee.name) if isinstance(call.callee, Attr) else None)
            if word in ("parts", "chunks", "pieces", "parted"):
                return self._one_of(word, call, inner, key, frame) if self.differs(key, frame) else None
        return False

    def _one_of(self, word: str, call: Call, inner: Context, key: Term, frame: Context) -> Amount:
        """How large the part is that a rank picks of equally many parts, chunks, or pieces of one size."""
        whole, count = self._operands(word, call, inner)
        if whole is None or count is None:
            return None
        index = self.number(key, frame)
        value = self.peer.value(count, inner)
        if word != "pieces" and not isinstance(value, int):
            self.example.fixed[self.key(count, inner)] = WORLD
        length, number = self.length(whole, inner), self.number(count, inner)
        if index is None or length is None or number is None or number < 1 or length == ENDLESS:
            return None
        if word in ("parts", "parted"):
            return length // number + (index < length % number)
        size = number if word == "pieces" else -(-length // number)
        return max(0, min(size, length - index * size))

    def _operands(self, word: str, call: Call, frame: Context) -> tuple[Term | None, Term | None]:
        """What is cut up, and into how many parts (or pieces of which size)."""
        whole, count = self.argument(call, frame, 0), self.argument(call, frame, 1)
        if isinstance(call.callee, Attr):
            whole, count = call.callee.base, call.args[0] if call.args else self.argument(call, frame, 1)
        return (count, whole) if word == "parted" else (whole, count)

    # -- comprehensions, generators, and what is filled ------------------------------------------------------------

    def drawn(self, term: Term, frame: Context) -> Amount:
        """How many items a comprehension makes; None when it is none, or cannot be counted."""
        known, where = self._comprehension(term, frame)
        if known is None:
            return None
        length = self.length(known.of, where)
        if length is None or length == ENDLESS:
            return length
        for condition in known.tests:
            if self.picks(condition, where):
                self.ranked = True
                self.origins.setdefault((term, where))
                return len(range(self.peer.rank, int(length), WORLD))
        return length

    def drawn_item(self, term: Term, frame: Context, number: Amount) -> Amount:
        """How many items are in one of the lists that a comprehension over numbers makes (``[x[i::n] for i in range(n)]``)."""
        known, where = self._comprehension(term, frame)
        if known is None or known.tests or number is None or not self._counts_up(known.of, where):
            return None
        if isinstance(known.item, List):
            return None  # made empty, to be filled
        if isinstance(known.item, Subscript) and isinstance(known.item.key, Slice):
            self._take(known.item.key.step, where)
        self.peer.loops[known.target] = int(number)
        try:
            return self.length(known.item, where)
        finally:
            del self.peer.loops[known.target]

    def _counts_up(self, subject: Term, frame: Context) -> bool:
        """Whether an iterable is ``range(n)``."""
        return isinstance(subject, Call) and is_range(self.program, subject, frame) and len(subject.args) == 1

    def _take(self, step: Term, frame: Context) -> None:
        """The stride of the list of a rank is the number of ranks, whatever it is called."""
        if not isinstance(self.peer.value(step, frame), int):
            self.example.fixed.setdefault(self.key(step, frame), WORLD)

    def _comprehension(self, term: Term, frame: Context) -> tuple[Comprehension | None, Context]:
        """The comprehension whose value a term stands for, and the activation it is in."""
        if not isinstance(term, Comprehension):
            return None, frame
        top = self.program.modules[frame.module].functions["<module>"]
        return term, frame.home(term) or self.program.frame(frame.module, top)

    def picks(self, condition: Term, frame: Context) -> bool:
        """Whether a test picks out some rounds for each rank (``i % world == rank``)."""
        if isinstance(condition, And):
            return any(self.picks(part, frame) for part in condition.operands)
        return has(condition, Element) and self.differs(condition, frame)

    def filled(self, term: Term, frame: Context) -> Amount:
        """How many items a function puts into a list that it makes empty; some length when it puts none."""

        def made(node: Statement) -> Amount | str | None:
            if not isinstance(node, CallStep) or not isinstance(node.term.callee, Attr) or node.term.callee.base is not term:
                return None
            name = node.term.callee.name
            how = self.program.knowledge.gathers.get(name)
            if how == "all":
                return self.length(node.term.args[0], frame) if node.term.args else "?"
            return 1 if how is not None else "?" if name in self.program.knowledge.empties else None

        if not any(made(node) is not None for node in walk(frame.function.body) if isinstance(node, CallStep)):
            return self.example.size((term, frame))
        count = ItemsMade(self, frame, made).count(frame.function.body)
        return None if count is None else count.always + count.picked

    def dealt(self, term: Subscript, frame: Context) -> Amount:
        """How many items were dealt to one of several lists (``parts[i % world].append(x)``); None when none were."""
        base = term.base

        def made(node: Statement) -> Amount | str | None:
            callee = node.term.callee if isinstance(node, CallStep) else None
            if not isinstance(callee, Attr) or not isinstance(callee.base, Subscript) or callee.base.base is not base:
                return None
            return 1 if callee.name in self.program.knowledge.gathers and has(callee.base.key, Element) else "?"

        count = ItemsMade(self, frame, made).count(frame.function.body)
        total = None if count is None else count.always + count.picked
        if not total or total == ENDLESS:
            return None
        self.ranked = True
        self.origins.setdefault((term, frame))
        return len(range(self.peer.rank, int(total), WORLD))

    def generated(self, call: Call, frame: Context) -> Amount:
        """How many items a generator of the project yields."""
        for value in self.program.values(call.callee, frame):
            if isinstance(value, FunctionValue) and value.function.generator and not frame.runs(value.function):
                return self.yielded(value, self.program.enter(value, call, frame))
        return None

    def yielded(self, value: FunctionValue, frame: Context) -> Amount:
        """How many items the body of a generator yields in one activation."""
        self.frames.add(frame)

        def made(node: Statement) -> Amount | str | None:
            if not isinstance(node, Yield):
                return None
            if not node.whole:
                return 1
            length = self.length(node.value, frame) if node.value is not None else None
            return length if length is not None else "?"

        count = ItemsMade(self, frame, made).count(value.function.body)
        return None if count is None else count.always + count.picked


def _is_elsewhere(key: object, term: Term) -> bool:
    """Whether the key of something unknown says of which other term it is the value, and in which activation."""
    match key:
        case (Term() as other, Context()):
            return other is not term
        case _:
            return False


def _is_object(value: Value) -> bool:
    """Whether a value is certainly not None: an object, a display."""
    if isinstance(value, Unresolved):
        return isinstance(value.term, (List, Tuple, Dict, Set)) or (
            isinstance(value.term, Const) and value.term.value is not None
        )
    return isinstance(value, Instance)
