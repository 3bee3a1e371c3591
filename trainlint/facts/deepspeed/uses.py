"""Which calls of a script hand a library a configuration of DeepSpeed, and what they say themselves of the same things."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from trainlint.documents.document import Document
from trainlint.documents.tree import Mapping
from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.command_line import defaults_of
from trainlint.facts.deepspeed.stated import UNKNOWN, Stated, Statements, constant, is_changed, is_dict, of_dict, of_mapping
from trainlint.facts.launching.launches import Launch, launches
from trainlint.facts.program import Program
from trainlint.facts.values import Frame, FunctionValue, Library, Made, Other, Value
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Term


class Use(NamedTuple):
    """A call (of ``callee``) that is given a configuration, which is a ``document``, or a dict in the code (``written``).

    Of a dict that somebody may change nothing is stated. ``said`` is what the call says itself; ``is_whole``: no argument of it
    is out of sight.
    """

    site: CallSite
    callee: str
    document: Document | None
    configuration: Statements
    said: Statements
    is_whole: bool
    written: Other | None = None


def uses(program: Program) -> Iterator[Use]:
    """All of them, by the table ``deepspeed.configured``, then those that are handed what such a call made."""
    tables = program.knowledge.tables
    for dotted, keywords in tables["deepspeed.configured"].items():
        for site, frame in _sites(program, dotted):
            given = _argument(site, keywords)
            if given is not None:
                yield from _used(program, site, dotted, given, frame, site.call.term.site)
    for dotted, keywords in tables["deepspeed.holders"].items():
        for site, frame in _sites(program, dotted):
            held = _argument(site, keywords)
            for value in program.values(held, frame) if held is not None else ():
                inner = tables["deepspeed.configured"].get(value.name) if isinstance(value, Made) else None
                if inner is None or not isinstance(value, Made) or value.call is None or value.frame is None:
                    continue
                given = next((term for name, term in value.call.kwargs if name in inner), None)
                if given is not None:
                    yield from _used(program, site, dotted, given, value.frame, site.call.term.site)


def starting(program: Program, path: str) -> list[Launch]:
    """The launch lines that start a script."""
    return [launch for launch in program.ask(launches) if launch.path == path]


def _sites(program: Program, dotted: str) -> Iterator[tuple[CallSite, Frame]]:
    for site in program.ask(CallGraph).sites_named(dotted.rpartition(".")[2]):
        frame = program.frame(site.module, site.function)
        if any(
            isinstance(each, Library) and each.name == dotted for each in program.ask(CallGraph).targets(site.call.term, frame)
        ):
            yield site, frame


def _argument(site: CallSite, keywords: list[str]) -> Term | None:
    return next((term for name, term in site.call.term.kwargs if name in keywords), None)


def _used(program: Program, site: CallSite, callee: str, given: Term, frame: Frame, spot: Spot) -> Iterator[Use]:
    values = [_written_down(value) for value in program.values(given, frame)]
    is_whole = all(name is not None for name, _ in site.call.term.kwargs)
    said = _said(program, site)
    if len(values) == 1 and isinstance(values[0], Other) and is_dict(values[0].term):
        is_sure = _is_near(program, site, Other(given, frame), values[0]) and not is_changed(program, Other(given, frame))
        stated = of_dict(program, values[0], site.module, spot) if is_sure else None
        yield Use(site, callee, None, stated or {}, said, is_whole, values[0])
        return
    loaded = _loaded(program, values)
    if loaded is not None and (is_changed(program, loaded) or is_changed(program, Other(given, frame))):
        return
    opened = None if loaded is None else _opened(program, loaded)
    document = _document(program, site, given if opened is None else opened, frame if loaded is None else loaded.frame)
    if document is not None and len(document.roots) == 1 and isinstance(document.roots[0], Mapping):
        yield Use(site, callee, document, of_mapping(document, document.roots[0], program.knowledge), said, is_whole)


def _is_near(program: Program, site: CallSite, given: Other, made: Other) -> bool:
    """Whether a dict comes from where its changes would be seen: around the call, or in the function that is called there."""
    function = made.frame.function
    if function is site.function or function.kind == "module":
        return True
    if isinstance(given.term, Call):
        targets = program.ask(CallGraph).targets(given.term, given.frame)
        return any(isinstance(each, FunctionValue) and each.function is function for each in targets)
    return (
        isinstance(given.term, Attr)
        and function.cls is not None
        and (made.frame.module, function.cls) == (site.module, site.function.cls)
    )


def _loaded(program: Program, values: list[Value]) -> Other | None:
    """The call that makes a dict of an open file, where a value comes from one."""
    names = program.knowledge.tables["deepspeed.loads"]["names"]
    if len(values) == 1 and isinstance(values[0], Made) and values[0].name in names:
        call, frame = values[0].call, values[0].frame
        return Other(call, frame) if call is not None and frame is not None and call.args else None
    return None


def _opened(program: Program, loaded: Other) -> Term | None:
    """The name of the file that such a call reads."""
    assert isinstance(loaded.term, Call)
    for value in program.values(loaded.term.args[0], loaded.frame):
        if isinstance(value, Made) and value.name == "builtins.open" and value.call is not None and value.call.args:
            return value.call.args[0]
    return None


def _written_down(value: Value) -> Value:
    """A dict that is made by a call, as one that is written down."""
    is_call = isinstance(value, Made) and value.call is not None and value.frame is not None and is_dict(value.call)
    return Other(value.call, value.frame) if is_call else value  # type: ignore[union-attr, arg-type]


def _said(program: Program, site: CallSite) -> Statements:
    """What the arguments of a call say of sizes and precisions."""
    tables = program.knowledge.tables
    frame = program.frame(site.module, site.function)
    found: Statements = {}
    for name, term in site.call.term.kwargs:
        if name is None:
            continue
        what = tables["deepspeed.said"].get(name)
        if what is None or tables["deepspeed.unless"].get(name) in {key for key, _ in site.call.term.kwargs}:
            continue
        value = constant(program, term, frame)
        if what == "precision":
            chosen = tables["deepspeed.narrow"].get(str(value).lower())
            if chosen is not None:
                found[chosen] = Stated(f"{name}={value}", True, site.module, site.call.term.site)
        elif value is not None:
            found[what] = Stated(str(name), value, site.module, site.call.term.site)
    return found


def _document(program: Program, site: CallSite, given: Term, frame: Frame) -> Document | None:
    """The file that an argument names: by a constant, or by the default of an option that no launch line sets."""
    name = constant(program, given, frame)
    if name == UNKNOWN and isinstance(given, Attr):
        defaults = defaults_of(program, given.name, site.module)
        option = "--" + given.name.replace("_", "-")
        if len(defaults) == 1 and not any(launch.argument(option) is not None for launch in starting(program, site.module)):
            name = next(iter(defaults))  # type: ignore[assignment]
    if not isinstance(name, str) or not name.endswith(".json"):
        return None
    folder, top = os.path.dirname(site.module), program.finder.top  # noqa: PTH120
    found: list[Document] = []
    while True:
        document = program.documents.at(os.path.normpath(os.path.join(folder, name)))  # noqa: PTH118
        if document is not None:
            found.append(document)
        above = os.path.dirname(folder)  # noqa: PTH120
        if len(folder) <= len(top) or above == folder:
            return found[0] if len(found) == 1 else None
        folder = above
