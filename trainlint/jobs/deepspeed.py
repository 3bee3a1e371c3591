"""DeepSpeed's configurations, in files and in dicts of the code: what they state, and which calls are given one.

Batch sizes and precisions, each with its place; and what the call, or the arguments of the script, say themselves of
the same.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from trainlint.documents.document import Document
from trainlint.documents.tree import Mapping, Plain, Scalar, mappings
from trainlint.finding import Spot
from trainlint.ir.nodes import Access, Attr, Call, Const, Dict, Entered, Ref, Term
from trainlint.ir.sketch import Keep, Store
from trainlint.ir.walk import of_kind
from trainlint.jobs.launch_lines import Launch, launches, upwards
from trainlint.knowledge import Knowledge
from trainlint.knowledge.words import read
from trainlint.program.call_graph import CallGraph, CallSite
from trainlint.program.consteval import constant
from trainlint.program.contexts import calling_contexts, own_then_called
from trainlint.program.environment import defaults_of
from trainlint.program.heap import made_with, only_holds
from trainlint.program.origins import origins
from trainlint.program.program import Program, calls_of
from trainlint.program.sources import handed_over, passed
from trainlint.program.values import DEEPEST_CALL, Context, FunctionValue, Library, LibraryObject, Unresolved, Value


@dataclass(frozen=True)
class Configuration:
    """A configuration: the file it is in, and its mapping there."""

    document: Document
    mapping: Mapping


def configurations(program: Program) -> Iterator[Configuration]:
    """All configurations of the run, by file and place."""
    keys = program.knowledge.tables["deepspeed.configuration"]["own"]
    for document in program.documents.of(read(program.knowledge, "deepspeed"), "json", "yaml"):
        for root in document.roots:
            for mapping in mappings(root):
                if any(key in mapping for key in keys):
                    yield Configuration(document, mapping)


WHOLE, MICRO, STEPS = "train_batch_size", "train_micro_batch_size_per_gpu", "gradient_accumulation_steps"
SIZES = (WHOLE, MICRO, STEPS)
#: What stands for a value that is there, and not known.
UNKNOWN = "?"
#: The name for a statement that processes share a model.
DIVIDED = "divided"
#: Methods of a dict that leave it as it is.
_READS = ("get", "items", "keys", "values", "copy")


class Stated(NamedTuple):
    """What is said under a name (``written``), and where; ``auto``, and what is not known, are texts."""

    written: str
    value: Plain
    path: str
    spot: Spot

    @property
    def number(self) -> int | None:
        """The value, where it is a number of things."""
        return self.value if isinstance(self.value, int) and not isinstance(self.value, bool) else None


#: By size, by precision (``fp16``: whether it is enabled), or :data:`DIVIDED`.
Statements: TypeAlias = "dict[str, Stated]"


def of_mapping(document: Document, mapping: Mapping, knowledge: Knowledge) -> Statements:
    """What a mapping in a file states."""
    found: Statements = {}
    for key in SIZES:
        item = mapping.item(key)
        if item is not None and not (isinstance(item.value, Scalar) and item.value.value is None):
            value = item.value.value if isinstance(item.value, Scalar) else UNKNOWN
            found[key] = Stated(key, value, document.path, item.key.spot)
    for name, keys in knowledge.tables["deepspeed.precision"].items():
        item = next((item for item in map(mapping.item, keys) if item is not None and isinstance(item.value, Mapping)), None)
        if item is not None and isinstance(item.value, Mapping) and "enabled" in item.value:
            found[name] = Stated(str(item.key.value), item.value.value("enabled"), document.path, item.key.spot)
    for key in knowledge.tables["deepspeed.divided"]["names"]:
        if (item := mapping.item(key)) is not None:
            found[DIVIDED] = Stated(key, UNKNOWN, document.path, item.key.spot)
    return found


def of_dict(program: Program, value: Unresolved, path: str, spot: Spot) -> Statements | None:
    """What a dict in the code states, all at one place; None when it is changed, or a key is not known."""
    items = items_of(value.term)
    if items is None or any(key is None for key, _ in items) or is_changed(program, value):
        return None
    found: Statements = {}
    by_key = {str(key): term for key, term in items}
    for key in SIZES:
        if key in by_key and (stated := _stated(program, by_key[key], value.frame)) is not None:
            found[key] = Stated(key, stated, path, spot)
    for name, keys in program.knowledge.tables["deepspeed.precision"].items():
        chosen = next((key for key in keys if key in by_key), None)  # DeepSpeed reads no other one then
        inside = dict(items_of(by_key[chosen]) or ()) if chosen is not None else {}
        if chosen is not None and "enabled" in inside:
            stated = _stated(program, inside["enabled"], value.frame)
            found[name] = Stated(chosen, UNKNOWN if stated is None else stated, path, spot)
    for key in program.knowledge.tables["deepspeed.divided"]["names"]:
        if key in by_key:
            found[DIVIDED] = Stated(key, UNKNOWN, path, spot)
    return found


def _stated(program: Program, term: Term, frame: Context) -> Plain:
    """The one constant that a term stands for; :data:`UNKNOWN` when there is none, None when that is ``None``."""
    found = constant(program, term, frame)
    return found.value if found is not None and isinstance(found.value, (str, int, float, bool, type(None))) else UNKNOWN


def is_dict(term: Term) -> bool:
    """Whether a term is a dict that is written down."""
    return items_of(term) is not None


def items_of(term: Term, said: Callable[[Term], Term | None] = lambda key: key) -> list[tuple[str | None, Term]] | None:
    """The items of a dict that is written down; a key that is no text is None. ``said`` is what a key stands for."""
    if isinstance(term, Dict):
        keys = [said(key) if key is not None else None for key, _ in term.items]
        texts = [key.value if isinstance(key, Const) and type(key.value) is str else None for key in keys]
        return [(text, value) for text, (_, value) in zip(texts, term.items, strict=True)]
    if isinstance(term, Call) and isinstance(term.callee, Ref) and term.callee.name == "builtins.dict":
        if term.args or any(name is None for name, _ in term.kwargs):
            return None
        return [(str(where[1]), value) for where, value in made_with(term)]
    return None


def is_changed(program: Program, value: Unresolved) -> bool:
    """Whether somebody in its file sets an item of a dict, calls a method of it that may, or hands it on out of sight."""
    path = value.frame.module
    meant = {value.term, *(made.term for made in origins(program, value.term, value.frame))}
    return any(
        _may_change(program, path, frame, meant)
        for function in program.modules[path].functions.values()
        for frame in calling_contexts(program, path, function)
    )


def is_changed_on_the_way(program: Program, given: Term, used: Context) -> bool:
    """Whether one of the functions that hand a dict on, down to where it is used, may change it."""
    return any(is_changed(program, Unresolved(*each)) for each in handed_over(given, used))


def _may_change(program: Program, path: str, frame: Context, meant: Collection[Term]) -> bool:
    """Whether an activation of a function may change one of these, itself or by a function of another file than theirs."""

    def is_meant(term: Term) -> bool:
        return term in meant or any(made.term in meant for made in origins(program, term, frame))

    changed = [keep.target for keep in of_kind(frame.function, Keep)] + [store.target for store in of_kind(frame.function, Store)]
    for call in (node.term for node in calls_of(frame.function)):
        if isinstance(call.callee, Attr) and call.callee.name not in _READS:
            changed.append(call.callee)
        given = (*call.args, *(term for _, term in call.kwargs))
        if not any(map(is_meant, given)):
            continue
        targets = program.ask(CallGraph).targets(call, frame)
        if not targets and not only_holds(program, call, frame):
            return True
        elsewhere = (each for each in targets if isinstance(each, FunctionValue) and each.module != path)
        inner = [program.enter(each, call, frame) for each in elsewhere if not frame.runs(each.function)]
        if inner and (frame.depth >= DEEPEST_CALL or any(_may_change(program, path, each, meant) for each in inner)):
            return True
    return any(is_meant(base) for target in changed for base in _bases(target))


def _bases(term: Term) -> Iterator[Term]:
    """What a term is an item or an attribute of, and what that is one of."""
    while isinstance(term, Access):
        term = term.base
        yield term


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
    written: Unresolved | None = None


def uses(program: Program) -> Iterator[Use]:
    """All of them, by the table ``deepspeed.configured``, then those that are handed what such a call made."""
    tables = program.knowledge.tables
    for dotted, keywords in tables["deepspeed.configured"].items():
        for site, _ in _sites(program, dotted):
            given = _argument(site, keywords)
            if given is not None:
                found = (list(_used(program, site, dotted, given, frame)) for frame in own_then_called(program, site))
                yield from next(filter(None, found), ())
    for dotted, keywords in tables["deepspeed.holders"].items():
        for site, frame in _sites(program, dotted):
            held = _argument(site, keywords)
            for value in program.values(held, frame) if held is not None else ():
                inner = tables["deepspeed.configured"].get(value.name) if isinstance(value, LibraryObject) else None
                if inner is None or not isinstance(value, LibraryObject) or value.call is None or value.frame is None:
                    continue
                given = next((term for name, term in value.call.kwargs if name in inner), None)
                if given is not None:
                    yield from _used(program, site, dotted, given, value.frame)


def starting(program: Program, path: str) -> list[Launch]:
    """The launch lines that start a script."""
    return [launch for launch in program.ask(launches) if launch.path == path]


def _sites(program: Program, dotted: str) -> Iterator[tuple[CallSite, Context]]:
    for site in program.ask(CallGraph).sites_named(dotted.rpartition(".")[2]):
        frame = program.frame(site.module, site.function)
        if any(
            isinstance(each, Library) and each.name == dotted for each in program.ask(CallGraph).targets(site.call.term, frame)
        ):
            yield site, frame


def _argument(site: CallSite, keywords: list[str]) -> Term | None:
    return next((term for name, term in site.call.term.kwargs if name in keywords), None)


def _used(program: Program, site: CallSite, callee: str, given: Term, frame: Context) -> Iterator[Use]:
    values = [_written_down(value) for value in program.values(given, frame)]
    is_whole = all(name is not None for name, _ in site.call.term.kwargs)
    said = _said(program, site)
    if len(values) == 1 and isinstance(values[0], Unresolved) and is_dict(values[0].term):
        is_sure = _is_near(program, site, Unresolved(given, frame), values[0]) and not is_changed_on_the_way(
            program, given, frame
        )
        stated = of_dict(program, values[0], site.module, site.call.term.site) if is_sure else None
        yield Use(site, callee, None, stated or {}, said, is_whole, values[0])
        return
    loaded = _loaded(program, values)
    if loaded is not None and (is_changed(program, loaded) or is_changed_on_the_way(program, given, frame)):
        return
    opened = None if loaded is None else _opened(program, loaded)
    document = _document(program, site, given if opened is None else opened, frame if loaded is None else loaded.frame)
    if document is not None and len(document.roots) == 1 and isinstance(document.roots[0], Mapping):
        yield Use(site, callee, document, of_mapping(document, document.roots[0], program.knowledge), said, is_whole)


def _is_near(program: Program, site: CallSite, given: Unresolved, made: Unresolved) -> bool:
    """Whether a dict comes from where its changes would be seen: around the call, or in the function that is called there."""
    function = made.frame.function
    if given.frame.runs(function) or function is site.function or function.kind == "module":
        return True
    handed, where = passed(given.term, given.frame)
    handed = handed.manager if isinstance(handed, Entered) else handed
    if isinstance(handed, Call):
        targets = program.ask(CallGraph).targets(handed, where)
        return any(isinstance(each, FunctionValue) and each.function is function for each in targets)
    return (
        isinstance(given.term, Attr)
        and function.cls is not None
        and (made.frame.module, function.cls) == (site.module, site.function.cls)
    )


def _loaded(program: Program, values: list[Value]) -> Unresolved | None:
    """The call that makes a dict of an open file, where a value comes from one."""
    names = program.knowledge.tables["deepspeed.loads"]["names"]
    if len(values) == 1 and isinstance(values[0], LibraryObject) and values[0].name in names:
        call, frame = values[0].call, values[0].frame
        return Unresolved(call, frame) if call is not None and frame is not None and call.args else None
    return None


def _opened(program: Program, loaded: Unresolved) -> Term | None:
    """The name of the file that such a call reads."""
    assert isinstance(loaded.term, Call)
    for value in program.values(loaded.term.args[0], loaded.frame):
        if isinstance(value, LibraryObject) and value.name == "builtins.open" and value.call is not None and value.call.args:
            return value.call.args[0]
    return None


def _written_down(value: Value) -> Value:
    """A dict that is made by a call, as one that is written down."""
    is_call = isinstance(value, LibraryObject) and value.call is not None and value.frame is not None and is_dict(value.call)
    return Unresolved(value.call, value.frame) if is_call else value  # type: ignore[union-attr, arg-type]


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
        value = _stated(program, term, frame)
        if what == "precision":
            chosen = tables["deepspeed.narrow"].get(str(value).lower())
            if chosen is not None:
                found[chosen] = Stated(f"{name}={value}", True, site.module, site.call.term.site)
        elif value is not None:
            found[what] = Stated(str(name), value, site.module, site.call.term.site)
    return found


def _document(program: Program, site: CallSite, given: Term, frame: Context) -> Document | None:
    """The file that an argument names: by a constant, or by the default of an option that no launch line sets."""
    name = _stated(program, given, frame)
    if name == UNKNOWN and isinstance(given, Attr):
        defaults = defaults_of(program, given.name, site.module)
        option = "--" + given.name.replace("_", "-")
        if len(defaults) == 1 and not any(launch.argument(option) is not None for launch in starting(program, site.module)):
            name = next(iter(defaults))  # type: ignore[assignment]
    if not isinstance(name, str) or not name.endswith(".json"):
        return None
    folders = upwards(os.path.dirname(site.module), program.finder.top)  # noqa: PTH120
    paths = (os.path.normpath(os.path.join(folder, name)) for folder in folders)  # noqa: PTH118
    found = [document for path in paths if (document := program.documents.at(path)) is not None]
    return found[0] if len(found) == 1 else None
