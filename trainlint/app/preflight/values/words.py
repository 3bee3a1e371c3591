"""The words of the checklist: those that its table knows, and those that stand in terms.

What the checklist knows of the libraries: the names and words of the table ``preflight.evidence``.

The words that stand in terms: by them it is told what is logged, what a test asks about, what a file is called.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from trainlint.ir.bindings import ever_held, held_at_end
from trainlint.ir.nodes import (
    Access,
    Attr,
    BinOp,
    BoolOp,
    Call,
    Composite,
    Const,
    Dict,
    Element,
    Global,
    LoopPhi,
    Param,
    Ref,
    SequenceDisplay,
    Subscript,
    Term,
    Tuple,
    Unknown,
)
from trainlint.ir.sketch import Function, Module
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import roots, statements_of
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.program import Program


def known(program: Program, key: str) -> list[str]:
    """The names of a key: nothing for a key that the table has not."""
    found: list[str] = program.knowledge.tables["preflight.evidence"].get(key, [])
    return found


#: What switches something off.
OFF: tuple[object, ...] = (False, None, 0, -1, "", "no", "none", "None", "off", "fp32", "float32", "False", "false", "O0")
#: What is off where a precision is wanted, and a number like any other elsewhere.
WIDE: tuple[object, ...] = (32, 64, "32", "64", "32-true", "64-true")


#: A scale of the loss is no loss, how a learning rate decays is no rate, and ``lr0`` is one.
_SCALE = re.compile(r"(?<![a-z])loss[ _-](?=scal(?:e|er|ing|es)(?![a-z]))")
_DECAY = re.compile(r"(?<![a-z])(?:lr|learning[ _-]rate)[ _-](?=decay(?:[ _-]style)?(?![a-z]))")
_NUMBERED = re.compile(r"(?<![a-z])(lr|loss)(?=[0-9]+(?![a-z0-9]))")


def named_by(term: Term) -> str | None:
    """The name by which an attribute or an item is asked for: ``trainer`` of ``cfg.trainer`` and of ``cfg["trainer"]``."""
    return term.selector if isinstance(term, Access) and isinstance(term.selector, str) else None


def handed(term: Call) -> Iterator[Term]:
    """What a call is handed."""
    yield from term.args
    yield from (value for _, value in term.kwargs)


def terms_of(function: Function) -> Iterator[Term]:
    """What stands in a function: what its statements work out, and what its names ever hold."""
    yield from (term for node in statements_of(function) for term in roots(node))
    yield from ever_held(function)


def functions_of(program: Program, files: Iterable[str]) -> Iterator[tuple[str, Function]]:
    """The functions of some files, each with its file."""
    return ((path, function) for path in sorted(files) for function in program.modules[path].functions.values())


def calls_of_library(program: Program, names: Iterable[str]) -> Iterator[CallSite]:
    """The calls that may be of some functions of libraries, by their own names."""
    wanted = dict.fromkeys(names)
    for last in dict.fromkeys(name.rpartition(".")[2] for name in wanted):
        for site in program.ask(CallGraph).sites.get(last, ()):
            if program.may_be_one_of(site.call.term.callee, program.frame(site.module, site.function), wanted):
                yield site


class Written(NamedTuple):
    """A text that is put together: what is written down of it, and what is filled in."""

    texts: list[str]
    values: list[Term]


def written(term: Term) -> Written | None:
    """An f-string, ``"%d" % n`` or ``"{}".format(n)``; None for anything else."""
    if isinstance(term, Composite):
        texts = [str(each.value) for each in term.pieces if isinstance(each, Const)]
        return Written(texts, [each for each in term.pieces if not isinstance(each, Const)])
    if isinstance(term, BinOp) and term.op == "Mod" and isinstance(term.left, Const) and isinstance(term.left.value, str):
        return Written([term.left.value], [*term.right.items] if isinstance(term.right, Tuple) else [term.right])
    base = term.callee.base if isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name == "format" else None
    if not isinstance(term, Call) or not isinstance(base, Const) or not isinstance(base.value, str):
        return None
    return Written([base.value], list(handed(term)))


#: What only writes a value down in another way.
_WRITTEN = frozenset(("str", "int", "float", "repr", "dumps"))


def pieces_of(term: Term) -> list[Term] | None:
    """What a text is put together of, or a list: by an f-string, ``format``, ``+`` or ``%``; None for what is one thing."""
    if isinstance(term, Composite):
        return [*term.pieces]
    if isinstance(term, (BinOp, BoolOp, SequenceDisplay)):
        return term.subterms()
    if isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name == "format":
        return [term.callee.base, *handed(term)]
    return list(handed(term)) if isinstance(term, Call) and last_name(term.callee) in _WRITTEN else None


def split(text: str) -> Iterator[str]:
    """A text's words, and pairs of words that follow each other: ``Grad_norm`` is grad, norm and grad_norm."""
    text = _DECAY.sub("rates", _SCALE.sub("loss", _broken(text[:2000]).lower()))
    text = _NUMBERED.sub(r"\1 ", text)
    words = "".join(each if each.isalnum() else " " for each in text).split()
    yield from words
    yield from (f"{one}_{other}" for one, other in zip(words, words[1:], strict=False))


def named_items(module: Module, test: Term) -> Iterator[str]:
    """The words of the names that items of a function's result are bound to, in a test: ``world_size, rank = init_group()``.

    They are known in functions within that function, too; a term has no names, and the items of a result are told apart by them.
    """
    items = {
        part
        for part in parts_of(test)
        if isinstance(part, Subscript) and isinstance(part.base, Call) and isinstance(part.key, Const)
    }
    for function in module.functions.values() if items else ():
        yield from (word for name, value in held_at_end(function).items() if value in items for word in split(name))


def _broken(text: str) -> str:
    """``isMainProcess`` is three words."""
    return "".join(
        f" {each}" if each.isupper() and before.islower() else each for before, each in zip(f" {text}", text, strict=False)
    )


def _drawn(item: Subscript) -> Term | None:
    """Of what a loop takes its items: ``optimizers`` for the second of ``enumerate(optimizers)``; one of those of ``zip``."""
    call = item.base.of if isinstance(item.base, Element) else None
    index = item.key.value if isinstance(item.key, Const) else None
    if not isinstance(call, Call) or not isinstance(index, int):
        return None
    index -= int(last_name(call.callee) == "enumerate")
    is_there = last_name(call.callee) in ("enumerate", "zip") and 0 <= index < len(call.args)
    given: Term | None = call.args[index] if is_there else None
    return given


def words_of(program: Program, *terms: Term) -> Iterator[str]:
    """The words in terms, in small letters: of names, attributes, keywords, texts, and what an f-string is made of.

    Not of what a called function is handed: what a loss is computed from is no loss.
    """
    passes = known(program, "passes-on")
    waiting = list(terms)
    seen: set[Term] = set()  # terms share their parts: gone through each time, there are millions of them
    while waiting:
        part = waiting.pop()
        if part in seen:
            continue
        seen.add(part)
        if isinstance(part, Const):
            if isinstance(part.value, str):
                yield from split(part.value)
        elif isinstance(part, (Attr, Param)):
            yield from split(part.name)
            waiting += [part.base] if isinstance(part, Attr) else []
        elif isinstance(part, (Global, Ref, LoopPhi)):
            yield from split(part.name)
            if isinstance(part, LoopPhi):
                yield from split(part.name)
        elif isinstance(part, Call):
            waiting.append(part.callee)
            if last_name(part.callee) in passes:
                yield from (word for keyword, _ in part.kwargs if keyword for word in split(keyword))
                waiting += handed(part)
        elif isinstance(part, Subscript) and (drawn := _drawn(part)) is not None:
            waiting.append(drawn)
        elif isinstance(part, Unknown):
            waiting += part.pieces
        elif isinstance(part, Dict):
            waiting += [each for pair in part.items for each in pair if each is not None]
        else:
            waiting += part.subterms()
