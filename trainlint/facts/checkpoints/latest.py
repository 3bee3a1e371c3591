"""The latest checkpoint, picked by its name as a text: ``checkpoint-900`` comes behind ``checkpoint-1000``.

A place picks the last of a list of files as texts: ``max(names)``, ``sorted(names)[-1]``. It is wrong only where the names hold
numbers of different lengths, and that is seen where they are written: a save in the same program whose name is a text and a plain
number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.checkpoints.names import Names, Shape, base_of
from trainlint.facts.checkpoints.written import Written
from trainlint.facts.def_use import Uses
from trainlint.facts.files.operations import Operations, argument
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.values import Frame, Made, Other
from trainlint.ir.nodes import Attr, Call, Compare, Comprehension, Const, Ref, Subscript, Term
from trainlint.ir.sketch import CallStep, Function
from trainlint.ir.terms import parts_of

_DEEPEST = 8
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
    """A list of files: the call that lists, and the texts by which names are chosen (``pattern``, ``beginning``, ``end``)."""

    call: Call
    pattern: str | None
    begins: tuple[str, ...]
    ends: tuple[str, ...]


def latest(program: Program) -> Iterator[Latest]:
    """Each such pick."""
    numbered: list[tuple[str, Call, Shape]] | None = None
    for path, function, node in (site for name in _PICKS for site in program.ask(CallGraph).sites.get(name, ())):
        listing = _picked(program, path, function, node)
        if listing is None or not _is_meant(program, function) or tests_software(program, path, function):
            continue
        if numbered is None:
            numbered = list(_numbered(program))
        near = [each for each in numbered if program.together(each[0], path)]
        fitting = [each for each in near if _fits(each[2], listing)]
        if _is_any(listing) and len({each[2] for each in fitting}) > 1:
            continue  # files of several kinds
        if fitting and not any(part.padded for each in fitting for part in each[2]):
            yield Latest(path, function, node, fitting[0][:2], fitting[0][2], listing.pattern is not None)


def _picked(program: Program, path: str, function: Function, node: CallStep) -> _Listing | None:
    """The list of which a call picks the last item by its text."""
    call = node.term
    name = last_name(call.callee)
    keywords = dict(call.kwargs)
    if name == "max" and isinstance(call.callee, Ref) and len(call.args) == 1 and keywords.keys() <= {_DEFAULT}:
        return _listing(program, call.args[0], program.frame(path, function))
    if name == "sorted" and isinstance(call.callee, Ref) and call.args and keywords.keys() <= {_REVERSE}:
        listing = _listing(program, call.args[0], program.frame(path, function))
        return listing if listing is not None and _takes(program, path, call, _is_true(keywords.get(_REVERSE))) else None
    if name == "sort" and isinstance(call.callee, Attr) and not call.args and keywords.keys() <= {_REVERSE}:
        listing = _listing(program, call.callee.base, program.frame(path, function))
        return (
            listing if listing is not None and _takes(program, path, call.callee.base, _is_true(keywords.get(_REVERSE))) else None
        )
    return None


def _is_true(term: Term | None) -> bool:
    return term is not None and isinstance(term, Const) and term.value is True


def _takes(program: Program, path: str, ordered: Term, reverse: bool) -> bool:
    """Whether only the last item of a sorted list is taken (the first of one that is sorted the other way round)."""
    items = [
        parent.key.value
        for parent, _ in program.ask(Uses).parents(path).of.get(ordered, ())
        if isinstance(parent, Subscript) and parent.base is ordered and isinstance(parent.key, Const)
    ]
    return bool(items) and all(item == (0 if reverse else -1) for item in items)


def _listing(program: Program, term: Term, frame: Frame, depth: int = 0) -> _Listing | None:
    """The list of files that a term is: as it was listed, or picked out by the names' beginnings and ends."""
    if depth > _DEEPEST:
        return None
    if isinstance(term, Comprehension):
        inner = _listing(program, term.of, frame, depth + 1)
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
        if isinstance(value, Made) and value.call is not None and value.frame is not None:
            if value.name in program.knowledge.listings:
                return _Listing(value.call, _pattern(program, value.call, value.frame), (), ())
            if value.name in ("builtins.list", "builtins.filter") and value.call.args:
                return _listing(program, value.call.args[-1], value.frame, depth + 1)
        elif isinstance(value, Other) and value.term is not term:
            return _listing(program, value.term, value.frame, depth + 1)
    operation = program.ask(Operations).of(term, frame) if isinstance(term, Call) and isinstance(term.callee, Attr) else None
    if isinstance(term, Call) and operation is not None and operation.name in program.knowledge.listings:
        return _Listing(term, _pattern(program, term, frame), (), ())
    return None


def _is_any(listing: _Listing) -> bool:
    """Whether a pattern lets all files of one ending in."""
    return listing.pattern is not None and _ANY.fullmatch(listing.pattern) is not None


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


def _pattern(program: Program, call: Call, frame: Frame) -> str | None:
    """The last part of the pattern that ``glob`` is given, as far as it is written down; None for a whole folder."""
    if last_name(call.callee) not in ("glob", "iglob", "rglob"):
        return None
    given = argument(call, "0", "pathname") or argument(call, "0", "pattern")
    shapes = program.ask(Names).shapes(given, frame) if given is not None else []
    if len(shapes) != 1:
        return "\0"
    base = base_of(shapes[0])
    return "".join(part.text for part in base) if all(part.kind == "text" for part in base) else "\0"


def _is_meant(program: Program, function: Function) -> bool:
    """Whether a checkpoint may be meant: names around speak of one, or something is loaded there or by a caller."""
    words = program.knowledge.tables["checkpoints.latest"]["names"]
    around = [function, *(site.function for site in program.ask(CallGraph).callers(function))]
    spoken = [name for each in around for name in (each.name, *(last_name(node.term.callee) or "" for node in calls_of(each)))]
    return any(word in name.lower() for name in spoken for word in words)


def _numbered(program: Program) -> Iterator[tuple[str, Call, Shape]]:
    """The names with a number that are written: where, and the last part of the path."""
    seen: set[tuple[Term, Shape]] = set()
    for save in program.ask(Written).saves:
        for shape in program.ask(Names).shapes(save.path, save.frame) if save.path is not None else ():
            base = base_of(shape)
            if any(part.kind == "number" for part in base) and (save.site.call.term, base) not in seen:
                seen.add((save.site.call.term, base))
                yield save.site.module, save.site.call.term, base
    for name in program.knowledge.tables["checkpoints.folders"]["names"]:
        for site in program.ask(CallGraph).sites.get(name, ()):
            given = next((each for each in site.call.term.args[:1]), None)
            frame = program.frame(site.module, site.function)
            for shape in program.ask(Names).shapes(given, frame) if given is not None else ():
                base = base_of(shape)
                if any(part.kind == "number" for part in base):
                    yield site.module, site.call.term, base


def _fits(shape: Shape, listing: _Listing) -> bool:
    """Whether a name with one number, and nothing unknown, is among those that are listed."""
    if sum(part.kind == "number" for part in shape) != 1 or any(part.kind not in ("text", "number") for part in shape):
        return False
    sample = "".join(part.text if part.kind == "text" else "1000" for part in shape)
    pattern = listing.pattern
    if pattern is not None:
        import fnmatch

        return bool(_STAR.search(pattern)) and fnmatch.fnmatchcase(sample, pattern)
    begins = all(word[1:] in sample if word.startswith("*") else sample.startswith(word) for word in listing.begins)
    return begins and all(sample.endswith(word) for word in listing.ends) and bool(listing.begins or listing.ends)
