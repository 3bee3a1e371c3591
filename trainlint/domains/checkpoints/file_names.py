"""File names: the texts and numbers that a path consists of, and names that are compared as texts to find the latest.

What files are called: the texts and numbers that a path is put together from.

A number that a loop counts makes another file in each round; a text makes the same one. Whether a number is padded
with zeros decides whether names sort as the numbers do. What is neither is unknown.

The latest checkpoint, picked by its name as a text: ``checkpoint-900`` comes behind ``checkpoint-1000``.

A place picks the last of a list of files as texts: ``max(names)``, ``sorted(names)[-1]``. It is wrong only where
the names hold numbers of different lengths, and that is seen where they are written: a save in the same program
whose name is a text and a plain number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise, product
from typing import NamedTuple

from trainlint.domains.checkpoints.saves import Written
from trainlint.domains.files import Operations, argument
from trainlint.flow.roles import name_of
from trainlint.ir.bindings import carried_by
from trainlint.ir.nodes import (
    Access,
    Attr,
    Augmented,
    BinOp,
    Call,
    Compare,
    Composite,
    Comprehension,
    Const,
    Element,
    Global,
    LoopPhi,
    Param,
    Ref,
    Select,
    Self,
    Subscript,
    Term,
    Tuple,
)
from trainlint.ir.sketch import CallStep, Exit, Function, Loop, Store
from trainlint.ir.terms import parts_of, whole_number
from trainlint.ir.walk import of_kind, placed
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.def_use import Uses
from trainlint.program.induction import RoundNumber, is_counting, round_number
from trainlint.program.memo import remembered
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import WIDEST, Argument, ClassValue, Context, Instance, LibraryObject, Unresolved, Value

#: What a loop may take or count.
_DRAWN = (Access, Call, Element, LoopPhi)
_PERCENT = re.compile(r"%(?:\(\w+\))?([-#0 +]*)(\d*)(?:\.\d+)?([a-zA-Z%])")
_BRACES = re.compile(r"\{([^{}:!]*)(?:![rsa])?(?::([^{}]*))?\}")
_PADDED = re.compile(r"(?<![.\d])\d")  # a width: with zeros or blanks, names sort as the numbers do
_FLOAT = re.compile(r"\.\d|[eEfFgG%]$")


class Part(NamedTuple):
    """A piece of a path: a ``text``, a ``number`` of a loop (``padded`` or not), a ``setting`` of the run, or ``unknown``.

    ``counts``: the rounds that a number counts, from the same start each time the loop begins; None where it may go on.
    ``chosen``: a setting is read where settings are kept, and is no parameter that nobody is seen to pass.
    """

    kind: str
    text: str = ""
    padded: bool = False
    counts: RoundNumber | None = None
    chosen: bool = False


Shape = tuple[Part, ...]
_SLASH = Part("text", "/")
_NO_PATH = (Part("text", str(None)),)
_UNKNOWN = Part("unknown")


class Names:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.joins = program.knowledge.tables["files.joins"]["names"]
        self.settings = frozenset(program.knowledge.tables["settings"]["names"])
        self.parsed = frozenset(program.knowledge.tables["settings.parsed"]["names"])
        self.counters = frozenset(program.knowledge.tables["checkpoints.counters"]["names"])

    @remembered([(_UNKNOWN,)])
    def shapes(self, term: Term, frame: Context) -> list[Shape]:
        """What a path may look like: one shape for each thing it may be; where it may be None as well, nothing is opened."""
        found = [*dict.fromkeys(map(self._told_by_text, self._shapes(term, frame)))][:WIDEST] or [(_UNKNOWN,)]
        return [shape for shape in found if shape != _NO_PATH] or found

    @remembered(None)
    def listing(self, term: Term, frame: Context) -> _Listing | None:
        """The list of files that a term is: as it was listed, or picked out by the names' beginnings and ends."""
        return _listing_of(self.program, term, frame)

    def _shapes(self, term: Term, frame: Context) -> Iterator[Shape]:
        if isinstance(term, Const):
            yield (Part("text", str(term.value)),)
        elif isinstance(term, Select):
            yield from self.shapes(term.then, frame)
            yield from self.shapes(term.other, frame)
        elif isinstance(term, BinOp) and term.op in ("Add", "Div"):
            middle = (_SLASH,) if term.op == "Div" else ()
            if self.is_number(term, frame):
                yield (self._number(term, frame),)
                return
            for left, right in product(self.shapes(term.left, frame), self.shapes(term.right, frame)):
                yield (*left, *middle, *right)
        elif isinstance(term, BinOp) and term.op == "Mod" and isinstance(term.left, Const) and isinstance(term.left.value, str):
            yield self._percent(term.left.value, term.right, frame)
        elif isinstance(term, Composite) and not isinstance(term, Augmented):
            yield from self._joined(term.pieces, (), frame)
        elif isinstance(term, Call):
            yield from self._called(term, frame)
        elif self.is_number(term, frame):
            yield (self._number(term, frame),)
        else:
            yield from self._followed(term, frame)

    def _told_by_text(self, shape: Shape) -> Shape:
        """A shape in which what stands behind the word for a number is one: ``epoch_{x}``."""
        return tuple(
            Part("number")
            if part.kind == "setting" and not part.chosen and before.kind == "text" and self._counts(_last_word(before.text))
            else part
            for before, part in pairwise((_UNKNOWN, *shape))
        )

    def _joined(self, parts: tuple[Term, ...], between: Shape, frame: Context) -> Iterator[Shape]:
        for chosen in product(*(self.shapes(part, frame)[:2] for part in parts[:WIDEST])):
            shape: list[Part] = []
            for index, each in enumerate(chosen):
                shape += (*between, *each) if index else each
            yield tuple(shape)

    def _called(self, term: Call, frame: Context) -> Iterator[Shape]:
        callee = term.callee
        if isinstance(callee, Attr) and callee.name == "format":
            form = self._text(callee.base, frame)
            for shape in ((Part("text", form),),) if form is not None else self.shapes(callee.base, frame):
                parts = (self._braces(part.text, term, frame) if part.kind == "text" else (part,) for part in shape)
                told = any(part.kind == "text" for part in shape)
                yield tuple(each for some in parts for each in some) if told else (_UNKNOWN,)  # a template of somebody's
            return
        if isinstance(callee, Ref) and callee.name == "builtins.str" and term.args:
            yield from self.shapes(term.args[0], frame)
            return
        for value in self.program.values(term, frame):
            if (isinstance(value, LibraryObject) and value.call is term and value.name in self.joins and term.args) or (
                isinstance(value, LibraryObject)
                and value.call is term
                and last_name(callee) in ("Path", "str", "PurePath")
                and term.args
            ):
                yield from self._joined(term.args, (_SLASH,), frame)
            elif (made := _elsewhere(value, term)) is not None:
                yield from self.shapes(*made)
            elif isinstance(callee, Attr) and callee.name == "joinpath":
                yield from self._joined((callee.base, *term.args), (_SLASH,), frame)
            elif isinstance(callee, Attr) and callee.name == "zfill":
                yield (Part("number", padded=True),)
            else:
                yield (Part("unknown", name_of(term)),)

    def _text(self, term: Term, frame: Context) -> str | None:
        """The one text that a term is, itself or as a constant of its file."""
        values = [Unresolved(term, frame)] if isinstance(term, Const) else self.program.values(term, frame)
        found = {
            value.term.value if isinstance(value, Unresolved) and isinstance(value.term, Const) else None for value in values
        }
        text = found.pop() if len(found) == 1 else None
        return text if isinstance(text, str) else None

    def _followed(self, term: Term, frame: Context) -> Iterator[Shape]:
        bound = frame.given(term) if isinstance(term, Param) else None
        if isinstance(bound, Argument):
            yield from self.shapes(bound.term, bound.frame)
            return
        if isinstance(term, Element):
            yield (_UNKNOWN,)
            return
        made = [_elsewhere(value, term) for value in self.program.values(term, frame)]
        if not any(made) and self._is_setting(term, frame):
            yield (Part("setting", name_of(term), chosen=True),)
            return
        for each in made:
            if each is not None:
                yield from self.shapes(*each)
            else:
                # A parameter that nobody is seen to pass belongs to the outermost function: no loop in sight changes it.
                yield (Part("setting" if isinstance(term, Param) else "unknown", name_of(term)),)

    def _is_setting(self, term: Term, frame: Context) -> bool:
        """Whether a term is what somebody set for the whole run: of what is called ``args``, or was parsed."""
        if not isinstance(term, Access) or self._counts(name_of(term)):
            return False
        if name_of(term.base) in self.settings:
            return True
        values = self.program.values(term.base, frame)
        return bool(values) and all(isinstance(value, LibraryObject) and value.name in self.parsed for value in values)

    def _number(self, term: Term, frame: Context, *, padded: bool = False) -> Part:
        counts = round_number(self.program, term, frame) if isinstance(term, (*_DRAWN, BinOp)) else None
        return Part("number", padded=padded, counts=counts)

    def is_number(self, term: Term, frame: Context) -> bool:
        """Whether a term is what a loop counts: of itself, or one more than that."""
        if isinstance(term, _DRAWN) and round_number(self.program, term, frame) is not None:
            return True
        if isinstance(term, BinOp) and term.op in ("Add", "Sub", "Mult", "FloorDiv"):
            sides = [side for side in term.sides if not (isinstance(side, Const) and isinstance(side.value, int))]
            return len(sides) < len(term.sides) and all(self.is_number(side, frame) for side in sides) and bool(sides)
        if isinstance(term, Element):
            return is_counting(term.of)
        if isinstance(term, Param) and isinstance(frame.given(term), Argument):
            bound = frame.given(term)
            assert isinstance(bound, Argument)
            return self.is_number(bound.term, bound.frame)
        if isinstance(term, Global):  # by ``global``: a function counts it up
            return self._counts(term.name) and term in self._stored(frame.module)
        if self._is_counted_up(term, frame):
            return True
        return isinstance(term, (Param, Access, LoopPhi)) and self._counts(name_of(term))

    def _is_counted_up(self, term: Term, frame: Context) -> bool:
        """Whether something grows by a number that is written down: in each round of a loop, or where a method sets it."""
        if isinstance(term, LoopPhi):
            carried = carried_by(frame.function, term)
            return carried is not None and _is_more(carried.back, carried.name)
        if isinstance(term, Augmented):
            *_, added = term.pieces
            return whole_number(added) is not None
        if not isinstance(term, Attr) or not isinstance(term.base, Self):
            return False
        owners = (value for value in self.program.values(term.base, frame) if isinstance(value, Instance))
        return any(
            _is_more(stored, term)
            for owner in owners
            for _, _, stored in self.program.stores(ClassValue(owner.module, owner.cls), term.name)
        )

    @remembered()
    def _stored(self, path: str) -> frozenset[Term]:
        """The names of a file's top level that its functions bind anew."""
        functions = self.program.modules[path].functions.values()
        nodes = (node for each in functions if each.kind != "module" for node in of_kind(each, Store))
        return frozenset(node.target for node in nodes if isinstance(node.target, Global))

    def _counts(self, name: str) -> bool:
        bare = name.lower().strip("_")
        return bare in self.counters or any(bare.endswith(f"_{word}") for word in self.counters)

    def _percent(self, text: str, given: Term, frame: Context) -> Shape:
        values = list(given.items) if isinstance(given, Tuple) else [given]
        parts: list[Part] = []
        end = 0
        for found in _PERCENT.finditer(text):
            if found[3] == "%":
                continue
            parts += (
                Part("text", text[end : found.start()]),
                *self._field(values.pop(0) if values else None, found[0][1:], frame),
            )
            end = found.end()
        if not end and text.startswith("%"):  # a format of an f-string, or of nothing that is known
            return self._field(given, text[1:], frame)
        return (*parts, Part("text", text[end:]))

    def _braces(self, text: str, call: Call, frame: Context) -> Shape:
        named = {name: value for name, value in call.kwargs if name is not None}
        positional = list(call.args)
        parts: list[Part] = []
        end = at = 0
        for found in _BRACES.finditer(text):
            name = found[1]
            value = named.get(name) if name and not name.isdigit() else None
            if value is None and (not name or name.isdigit()):
                index = int(name) if name else at
                value = positional[index] if index < len(positional) else None
                at += 1
            parts += (Part("text", text[end : found.start()]), *self._field(value, found[2] or "", frame))
            end = found.end()
        return (*parts, Part("text", text[end:]))

    def _field(self, value: Term | None, how: str, frame: Context) -> Shape:
        if value is None:
            return (_UNKNOWN,)
        if self.is_number(value, frame) or (how.endswith("d") and isinstance(value, Param)):
            return (self._number(value, frame, padded=bool(_PADDED.search(how))),) if not _FLOAT.search(how) else (_UNKNOWN,)
        return next(iter(self.shapes(value, frame)), (_UNKNOWN,)) if how in ("", "s") else (_UNKNOWN,)


def _elsewhere(value: Value, term: Term) -> Argument | None:
    """The expression that made a value, where that is not the one which was asked about."""
    if isinstance(value, Unresolved):
        return Argument(value.term, value.frame) if value.term is not term else None
    if not isinstance(value, LibraryObject) or value.call is None or value.frame is None or value.call is term:
        return None
    return Argument(value.call, value.frame)


def _last_word(text: str) -> str:
    """The word that a text ends with, perhaps before a sign that binds it to what comes next."""
    return re.split(r"[^a-z]+", text.lower().rstrip("_-=."))[-1]


def _is_more(value: Term, before: Term) -> bool:
    """Whether a value is one number more than that of before: ``step + 1``; on some ways perhaps the same."""
    if isinstance(value, Select):
        changed = [arm for arm in value.arms if arm is not before]
        return bool(changed) and all(_is_more(arm, before) for arm in changed)
    if not isinstance(value, BinOp) or value.op != "Add":
        return False
    return value.left is before and whole_number(value.right) is not None


def base_of(shape: Shape) -> Shape:
    """The last part of a path, behind the last slash."""
    found: list[Part] = []
    for part in reversed(shape):
        if part.kind == "text" and "/" in part.text:
            rest = part.text.rpartition("/")[2]
            if rest:
                found.append(Part("text", rest))
            if found:
                break
            continue
        found.append(part)
    return tuple(reversed(found))


def is_fixed(shape: Shape) -> bool:
    """Whether a path is the same in each round: it is made of texts and settings, and its last part of texts."""
    return all(part.kind in ("text", "setting") for part in shape) and any(
        part.text for part in base_of(shape) if part.kind == "text"
    )


def is_one_file(shape: Shape) -> bool:
    """Whether a path is the same in each round: fixed, or as a whole a setting of the run."""
    return is_fixed(shape) or is_set(shape)


def is_set(shape: Shape) -> bool:
    """Whether a path as a whole is a setting of the run."""
    return len(shape) == 1 and shape[0].chosen


def is_numbered(shape: Shape) -> bool:
    """Whether a path is another one in each round."""
    return any(part.kind == "number" for part in shape)


#: What picks by text: the last part of its name.
_PICKS = ("max", "sorted", "sort")
_DEFAULT, _REVERSE = "default", "reverse"
_STAR = re.compile(r"\*|\?|\[")
_ANY = re.compile(r"\*(\.\w+)?")


class Latest(NamedTuple):
    """A pick of the last file by its name: the call of ``max`` or ``sorted`` (``sort``), and where such a name is written.

    ``whole``: the items are paths that can be opened as they are.
    """

    module: str
    function: Function
    node: CallStep
    wrote: tuple[str, Call]
    shape: Shape
    whole: bool


class _Listing(NamedTuple):
    """A list of files: the call that lists, and the texts by which names are chosen (``pattern``, ``beginning``, ``end``).

    ``folder`` is what the folder may look like of which all names are listed.
    """

    call: Call
    folder: tuple[Shape, ...]
    pattern: str | None
    begins: tuple[str, ...]
    ends: tuple[str, ...]


def latest(program: Program) -> Iterator[Latest]:
    """Each such pick."""
    numbered: list[_Numbered] | None = None
    for path, function, node in (site for name in _PICKS for site in program.ask(CallGraph).sites.get(name, ())):
        listing = _picked(program, path, function, node)
        if listing is None or tests_software(program, path, function):
            continue
        every = _is_any(listing)
        if every and not _is_meant(program, path, function):
            continue  # elsewhere the names say that what a save writes is meant
        if numbered is None:
            numbered = list(_numbered(program))
        near = [each for each in numbered if program.together(each.module, path)]
        fitting = [each for each in near if _fits(each, listing)]
        if every and len({each.shape for each in fitting}) > 1:
            continue  # files of several kinds
        if fitting and not any(part.padded for each in fitting for part in each.shape):
            yield Latest(path, function, node, fitting[0][:2], fitting[0].shape, listing.pattern is not None)


def _picked(program: Program, path: str, function: Function, node: CallStep) -> _Listing | None:
    """The list of which a call picks the last item by its text."""
    call = node.term
    name = last_name(call.callee)
    keywords = dict(call.kwargs)
    if name == "max" and isinstance(call.callee, Ref) and len(call.args) == 1 and keywords.keys() <= {_DEFAULT}:
        return program.ask(Names).listing(call.args[0], program.frame(path, function))
    if name == "sorted" and isinstance(call.callee, Ref) and call.args and keywords.keys() <= {_REVERSE}:
        listing = program.ask(Names).listing(call.args[0], program.frame(path, function))
        ordered = CallSite(path, function, node)
        return listing if listing is not None and _takes(program, ordered, call, _is_true(keywords.get(_REVERSE))) else None
    if name == "sort" and isinstance(call.callee, Attr) and not call.args and keywords.keys() <= {_REVERSE}:
        listing = program.ask(Names).listing(call.callee.base, program.frame(path, function))
        ordered = CallSite(path, function, node)
        reverse = _is_true(keywords.get(_REVERSE))
        return listing if listing is not None and _takes(program, ordered, call.callee.base, reverse) else None
    return None


def _is_true(term: Term | None) -> bool:
    return term is not None and isinstance(term, Const) and term.value is True


def _takes(program: Program, site: CallSite, ordered: Term, reverse: bool) -> bool:
    """Whether only the last item of a sorted list is taken (the first of one that is sorted the other way round)."""
    lists = dict.fromkeys(_same_list(program, site.module, ordered), reverse)
    lists |= {term: not flipped for term, flipped in lists.items() for term in _turned_round(program, site.module, term)}
    items = _items_taken(program, site.module, lists)
    returned = {term: lists[term] for term in program.returns(site.function) if term in lists}
    if not items and returned:
        flipped = any(returned.values())
        for path in program.modules if site.function.kind == "property" else ():
            near = program.ask(Uses).glance(path).of if program.together(path, site.module) else ()
            read = (each for each in near if isinstance(each, Attr) and each.name == site.function.name)
            items += _items_taken(program, path, dict.fromkeys(read, flipped))
        for caller in program.ask(CallGraph).callers(site.function):
            items += _items_taken(program, caller.module, {caller.call.term: flipped})
    return bool(items) and all(items)


def _same_list(program: Program, path: str, ordered: Term) -> Iterator[Term]:
    """A list, and those made of each of its items in the same order."""
    yield ordered
    for made in program.ask(Uses).carried(path).get(ordered, ()):
        if isinstance(made, Comprehension) and made.of is ordered:
            yield from _same_list(program, path, made)


def _turned_round(program: Program, path: str, ordered: Term) -> Iterator[Term]:
    """``reversed(names)``, and what is made of each of its items."""
    for parent, _ in program.ask(Uses).parents(path).of.get(ordered, ()):
        if isinstance(parent, Call) and last_name(parent.callee) == "reversed" and parent.args and parent.args[0] is ordered:
            yield from _same_list(program, path, parent)


def _items_taken(program: Program, path: str, lists: dict[Term, bool]) -> list[bool]:
    """Whether what a file takes out of some lists is the last item each time; of those that are turned round, the first."""
    of = program.ask(Uses).parents(path).of
    found = [
        parent.key.value == (0 if flipped else -1)
        for ordered, flipped in lists.items()
        for parent, _ in of.get(ordered, ())
        if isinstance(parent, Subscript) and parent.base is ordered and isinstance(parent.key, Const)
    ]
    loops = (loop for function in program.modules[path].functions.values() for loop in of_kind(function, Loop))
    return found + [lists[loop.subject] for loop in loops if loop.subject in lists and _is_left_at_once(loop)]


def _is_left_at_once(loop: Loop) -> bool:
    """Whether a loop goes on only while something fails: ``break`` or ``return`` in the first round that works."""
    return any(
        isinstance(node, Exit) and node.kind in ("break", "return") and not any(arm.is_handler for arm in around)
        for node, around in placed(loop.body)
        if not any(isinstance(arm.region, Loop) for arm in around)
    )


def _listing_of(program: Program, term: Term, frame: Context) -> _Listing | None:
    if isinstance(term, Comprehension):
        inner = program.ask(Names).listing(term.of, frame)
        if inner is None or not _is_name(term.item, term.target):
            return None
        begins, ends = list(inner.begins), list(inner.ends)
        for test in term.tests:
            for part in parts_of(test):
                if (
                    isinstance(part, Call)
                    and isinstance(part.callee, Attr)
                    and part.args
                    and isinstance(part.args[0], Const)
                    and isinstance(part.args[0].value, str)
                ):
                    if part.callee.name == "startswith":
                        begins.append(part.args[0].value)
                    elif part.callee.name == "endswith":
                        ends.append(part.args[0].value)
                elif (
                    isinstance(part, Compare)
                    and part.op == "In"
                    and isinstance(part.left, Const)
                    and isinstance(part.left.value, str)
                ):
                    begins.append(f"*{part.left.value}")
        return inner._replace(begins=tuple(begins), ends=tuple(ends))
    for value in program.values(term, frame):
        if isinstance(value, LibraryObject) and value.call is not None and value.frame is not None:
            if value.name in program.knowledge.listings:
                return _listed(program, value.call, value.frame)
            if value.name in ("builtins.list", "builtins.filter") and value.call.args:
                return program.ask(Names).listing(value.call.args[-1], value.frame)
        elif isinstance(value, Unresolved) and value.term is not term:
            return program.ask(Names).listing(value.term, value.frame)
    operation = program.ask(Operations).of(term, frame) if isinstance(term, Call) and isinstance(term.callee, Attr) else None
    if isinstance(term, Call) and operation is not None and operation.name in program.knowledge.listings:
        return _listed(program, term, frame)
    return None


def _listed(program: Program, call: Call, frame: Context) -> _Listing:
    """What a call lists."""
    pattern = _pattern(program, call, frame)
    own = call.callee.base if isinstance(call.callee, Attr) and not call.args else None
    folder = argument(call, "0", "path") or own
    shapes = program.ask(Names).shapes(folder, frame) if folder is not None and pattern is None else ()
    return _Listing(call, tuple(shapes), pattern, (), ())


def _is_any(listing: _Listing) -> bool:
    """Whether a pattern lets all files of one ending in, or all of a folder are listed."""
    if listing.pattern is None:
        return not listing.begins and not listing.ends
    return _ANY.fullmatch(listing.pattern) is not None


def _is_name(item: Term, target: Term) -> bool:
    """Whether the items of a comprehension are what it goes over, or paths that end in it."""
    if item is target:
        return True
    return (
        isinstance(item, Call)
        and last_name(item.callee) in ("join", "str", "Path")
        and bool(item.args)
        and item.args[-1] is target
    )


def _pattern(program: Program, call: Call, frame: Context) -> str | None:
    """The last part of the pattern that ``glob`` is given, as far as it is written down; None for a whole folder."""
    if last_name(call.callee) not in ("glob", "iglob", "rglob"):
        return None
    given = argument(call, "0", "pathname") or argument(call, "0", "pattern")
    shapes = program.ask(Names).shapes(given, frame) if given is not None else []
    if len(shapes) != 1:
        return "\0"
    base = base_of(shapes[0])
    return "".join(part.text for part in base) if all(part.kind == "text" for part in base) else "\0"


def _is_meant(program: Program, path: str, function: Function) -> bool:
    """Whether a checkpoint may be meant: names around speak of one, or something is loaded there or by a caller."""
    words = program.knowledge.tables["checkpoints.latest"]["names"]
    around = [function, *(site.function for site in program.ask(CallGraph).callers(function))]
    if function.kind == "property":  # nobody is seen to call it
        around += [each for each in program.modules[path].functions.values() if each.cls == function.cls]
    spoken = [name for each in around for name in (each.name, *(last_name(node.term.callee) or "" for node in calls_of(each)))]
    return any(word in name.lower() for name in spoken for word in words)


class _Numbered(NamedTuple):
    """A name with a number that is written: where, what it looks like, and what its folder is called (nothing: not known)."""

    module: str
    call: Call
    shape: Shape
    folder: Shape


def _numbered(program: Program) -> Iterator[_Numbered]:
    """The names with a number that are written: of files, and of the folders that they are in."""
    seen: set[tuple[Term, Shape]] = set()
    for module, call, path, frame in _written(program):
        for shape in program.ask(Names).shapes(path, frame):
            names = _names_in(shape)
            for number, name in enumerate(names):
                if any(part.kind == "number" for part in name) and (call, name) not in seen:
                    seen.add((call, name))
                    yield _Numbered(module, call, name, names[number - 1] if number else ())


def _written(program: Program) -> Iterator[tuple[str, Call, Term, Context]]:
    """The calls that write checkpoints, or folders of them, and the paths that they are given."""
    for save in program.ask(Written).saves:
        if save.path is not None:
            yield save.site.module, save.site.call.term, save.path, save.frame
    for name in program.knowledge.tables["checkpoints.folders"]["names"]:
        for site in program.ask(CallGraph).sites.get(name, ()):
            for given in site.call.term.args[:1]:
                yield site.module, site.call.term, given, program.frame(site.module, site.function)


def _names_in(shape: Shape) -> list[Shape]:
    """The names between the slashes of a path, outermost first."""
    found: list[list[Part]] = [[]]
    for part in shape:
        texts = part.text.split("/") if part.kind == "text" else []
        for number, text in enumerate(texts):
            if number:
                found.append([])
            if text:
                found[-1].append(Part("text", text))
        if part.kind != "text":
            found[-1].append(part)
    return [tuple(name) for name in found if name]


def _fits(name: _Numbered, listing: _Listing) -> bool:
    """Whether a name with one number, and nothing unknown, is among those that are listed."""
    shape = name.shape
    if sum(part.kind == "number" for part in shape) != 1 or any(part.kind not in ("text", "number") for part in shape):
        return False
    sample = "".join(part.text if part.kind == "text" else "1000" for part in shape)
    pattern = listing.pattern
    if pattern is not None:
        import fnmatch

        return bool(_STAR.search(pattern)) and fnmatch.fnmatchcase(sample, pattern)
    begins = all(word[1:] in sample if word.startswith("*") else sample.startswith(word) for word in listing.begins)
    if not listing.begins and not listing.ends:
        told = bool(name.folder) and all(part.kind == "text" or part.chosen for part in name.folder)
        return told and any(_names_in(folder)[-1:] == [name.folder] for folder in listing.folder)
    return begins and all(sample.endswith(word) for word in listing.ends)
