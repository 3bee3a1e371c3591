"""How the options of a command line are declared: by parsers, fields, dicts, bound functions, libraries.

The options of functions and classes that are bound to the command line: ``@bind()`` makes options of their
parameters.

``Net = bind(Net)`` makes ``--Net.width``, ``@bind(without_prefix=True)`` makes ``--width``, ``bind(Loader, "train")`` makes
``--train/Loader.workers``, too. Only what has a default is an option; a file that the line names may say it as well.

Options that a loop declares from the items of a dict: their names and defaults stand there, and not at the parser.

How the options of a command line are declared: by calls of a parser, or as the fields of classes that a parser is
handed.

The options that a library adds to a command line: ``Trainer.add_argparse_args(parser)`` of Lightning, until 2.0.

They count where a trainer is made of them, ``from_argparse_args(args)`` or ``Trainer(**vars(args))``: it reads them itself then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from trainlint.app.preflight.values.words import calls_of_library, known
from trainlint.domains.constructor_arguments import Options
from trainlint.finding import Spot
from trainlint.ir.nodes import (
    Attr,
    BinOp,
    Call,
    Const,
    Element,
    Param,
    Select,
    SequenceDisplay,
    Subscript,
    Term,
)
from trainlint.ir.sketch import Function, Keep, Store
from trainlint.ir.terms import chain_of, parts_of, root_of
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.consteval import constant
from trainlint.program.contexts import contexts_at
from trainlint.program.environment import declarations
from trainlint.program.imports import imported
from trainlint.program.program import Program
from trainlint.program.values import ClassValue, FunctionValue, Library

#: What says that options are called as the parameters are.
_BARE = "without_prefix"
_START = "__init__"


def bound(program: Program) -> Iterator[tuple[str, FunctionValue]]:
    """What options begin with (``""``, or ``Net.``), and the function whose parameters they are."""
    wanted = known(program, "binds-parameters")
    for site in calls_of_library(program, wanted):  # of a decorator, the first thing that it is handed is a text, if any
        for value in (
            program.values(site.call.term.args[0], program.frame(site.module, site.function)) if site.call.term.args else ()
        ):
            found = _function(program, value)
            if found is not None:
                name = value.cls.name if isinstance(value, ClassValue) else found.function.name
                yield _before(site.call.term, name), found
    for path, function in program.functions():
        for decorator in function.decorators:
            callee = decorator.callee if isinstance(decorator, Call) else decorator
            top = program.frame(path, program.modules[path].functions["<module>"])
            if function.cls is None and program.may_be_one_of(callee, top, wanted):
                yield _before(decorator, function.name), FunctionValue(path, function)


def _function(program: Program, value: object) -> FunctionValue | None:
    """The function that a bound value runs: of a class, what makes an object of it."""
    if isinstance(value, ClassValue):
        found = program.method(value, _START)
        return None if found is None else FunctionValue(*found)
    return value if isinstance(value, FunctionValue) else None


def _before(call: Term, name: str) -> str:
    """What stands before the names of the parameters."""
    given = dict(call.kwargs).get(_BARE) if isinstance(call, Call) else None
    return "" if given is not None and isinstance(given, Const) and given.value else f"{name}."


class Item(NamedTuple):
    """An item of a dict whose keys become options: the name, the constant under it, and where the dict is handed over."""

    name: str
    value: Const | None
    module: str
    spot: Spot


def by_items(program: Program, site: CallSite) -> Iterator[Item]:
    """The items of the dict over which a loop declares options: ``parser.add_argument(f"--{key}", default=value)``.

    ``for name in HELP.keys() & defaults.keys()``: those of both, with the values of that one from which the default is taken.
    """
    key, default = _key(site), default_of(site)
    whole = key.base if isinstance(key, Subscript) and isinstance(key.key, Const) and key.key.value == 0 else key
    if not isinstance(whole, Element):
        return
    both = whole.of.sides if isinstance(whole.of, BinOp) and whole.of.op == "BitAnd" else (whole.of,)
    taken = default.base if isinstance(default, Subscript) and default.key is key else None
    holders = sorted(map(_holder, both), key=lambda each: each is not taken)
    if len(holders) > 1 and holders[0] is not taken:
        return
    asked = program.ask(Options)
    for frame in contexts_at(program, site):
        first, *others = (dict.fromkeys(asked.names(each, frame)) for each in holders)
        module, spot = site.module, site.call.term.site
        if isinstance(holders[0], Param) and frame.caller is not None and frame.call is not None:
            module, spot = frame.caller.module, frame.call.site
        for name in (each for each in first if all(each in other for other in others)):
            ways = asked.unpacked(_unpacking(holders[0], site), frame, name)
            values = {constant(program, term, at) for term, at, _ in ways.bounds}
            yield Item(name, values.pop() if len(values) == 1 else None, module, spot)


def _unpacking(holder: Term, site: CallSite) -> Call:
    """The call that declares the options as if it unpacked a dict."""
    return Call.new(site.call.term.callee, (), ((None, holder),), site.call.term.site)


def _holder(term: Term) -> Term:
    """The dict that a loop goes over: the dict itself, or one of which it takes the items or the keys."""
    is_view = isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name in ("items", "keys") and not term.args
    return term.callee.base if is_view and isinstance(term, Call) and isinstance(term.callee, Attr) else term


def default_of(site: CallSite) -> Term | None:
    """What an option is told that it is: by the keyword, or by an item of a dict of keywords: ``kwargs["default"] = value``."""
    return dict(site.call.term.kwargs).get("default") or kept_of(site, "default")


def kept_of(site: CallSite, name: str) -> Term | None:
    """What is put under a name into the dict of keywords that a call is handed last."""
    spread = dict(site.call.term.kwargs).get(None)
    found = (
        node.value
        for node in of_kind(site.function, Keep)
        if isinstance(node.target, Subscript)
        and node.target.base is spread
        and isinstance(node.target.key, Const)
        and node.target.key.value == name
    )
    return next(found, None) if spread is not None else None


def takes_key(site: CallSite, value: Term | None) -> bool:
    """Whether a value is that which stands beside the key: ``value`` of ``for key, value in defaults.items()``.

    Or ``defaults[key]``, where the loop goes over the keys.
    """
    key = _key(site)
    if value is not None and isinstance(value, Subscript) and value.key is key and key is not None and isinstance(key, Element):
        return True
    return bool(
        value is not None
        and key is not None
        and isinstance(value, Subscript)
        and isinstance(key, Subscript)
        and value.base is key.base
        and isinstance(value.key, Const)
        and value.key.value == 1
    )


def _key(site: CallSite) -> Term | None:
    """What stands behind the hyphens of an option's name, where that is no constant."""
    if not site.call.term.args:
        return None
    text: Term = site.call.term.args[0]
    parts = text.pieces
    if isinstance(text, BinOp) and text.op in ("Add", "Mod"):
        parts = text.sides
    elif isinstance(text, Call) and isinstance(text.callee, Attr) and text.callee.name == "format" and len(text.args) == 1:
        parts = (text.callee.base, text.args[0])
    if len(parts) != 2 or not isinstance(parts[0], Const) or parts[0].value not in ("--", "--%s", "--{}"):  # noqa: PLR2004
        return None
    return parts[1]


#: What configurations of yacs are made by.
_NODES = ("CfgNode", "CN")
#: What declares an option for each keyword that it is given, of the type of its value (mlxu).
BY_KEYWORDS = "define_flags_with_default"
#: What an option takes whose type is that of its default.
_LIKE = {"int": "number", "float": "number", "str": "text", "NoneType": "text"}
_TYPES = {"int": "number", "float": "number", "str": "text", "bool": "filled"}
#: What the declaration of an option is told.
_OF_OPTIONS = frozenset(("default", "type", "action", "help", "required", "choices", "nargs", "dest", "metavar"))


class Declared(NamedTuple):
    """One option.

    ``name`` is what the code reads it by, ``flags`` how a command line may spell it, the usual one first; ``equals``: its value
    stands behind a ``=`` (``optim.lr=0.1``). ``default`` is what it is when nobody says it, None where that is not known.
    ``takes`` says what its value is: ``on`` or ``off`` (it has none), ``number``, ``text``, ``filled`` (anything but nothing is
    true), ``other`` (nobody knows), or ``""``: as it looks. ``owner`` is the function whose parameter it is.
    """

    name: str
    flags: tuple[str, ...]
    module: str
    spot: Spot
    default: tuple[object] | None
    takes: str = ""
    equals: bool = False
    is_required: bool = False
    is_worked_out: bool = False
    owner: str | None = None


def declared(program: Program) -> Iterator[Declared]:
    """All options of a program, those of parsers first."""
    index = program.ask(CallGraph)
    needed = _needed(program)
    for site in declarations(program):
        found = _by_call(site, "text")
        yield from (found,) if found is not None else _in_loop(program, site)
    others, short = known(program, "declares-options"), known(program, "declares-options-with-keywords")
    for name in (*others, *short, *(name for name in index.sites if name.startswith("DEFINE_"))):
        for site in index.sites.get(name, ()):
            if name in short and not _is_of_parser(site):
                continue
            found = _absl(site, needed) if name.startswith("DEFINE_") else _by_call(site, "" if name in others else "text")
            if found is not None:
                yield found
    for site in index.sites.get(BY_KEYWORDS, ()):
        yield from _by_keywords(site)
    yield from _by_classes(program)
    yield from _by_nodes(program)
    for before, each in bound(program):
        yield from _parameters_with_defaults(before, each)


#: How many values an argument takes that may be left out.
_MAY_BE_NONE = ("?", "*", "...", 0)


def arguments(program: Program) -> Iterator[tuple[CallSite, str]]:
    """The arguments without hyphens that scripts have to be given: where they are declared, name."""
    for site in declarations(program):
        keywords = dict(site.call.term.kwargs)
        texts = [each.value for each in site.call.term.args if isinstance(each, Const) and isinstance(each.value, str)]
        optional = keywords.get("nargs")
        if (
            texts
            and len(texts) == len(site.call.term.args)
            and not texts[0].startswith("-")
            and not (
                optional is not None
                and ((isinstance(optional, Const) and optional.value in _MAY_BE_NONE) or last_name(optional) == "REMAINDER")
            )
        ):
            yield site, texts[0]


def _absl(site: CallSite, needed: frozenset[object]) -> Declared | None:
    term = site.call.term
    keywords = dict(term.kwargs)
    name = term.args[0] if term.args else keywords.get("name")
    if name is None or not isinstance(name, Const) or not isinstance(name.value, str):
        return None
    given = term.args[1] if len(term.args) > 1 else keywords.get("default")
    kind = (last_name(term.callee) or "").removeprefix("DEFINE_")
    takes = {"integer": "number", "float": "number", "string": "text", "enum": "text"}.get(kind, "")
    default = (given.value,) if given is not None and isinstance(given, Const) else None
    required = keywords.get("required")
    if required is not None or name.value in needed:
        return Declared(name.value, (f"--{name.value}",), site.module, term.site, None, takes, is_required=True)
    return Declared(name.value, (f"--{name.value}",), site.module, term.site, default, takes)


def _needed(program: Program) -> frozenset[object]:
    """The flags of absl of which calls say that they have to be there."""
    index = program.ask(CallGraph)
    return frozenset(
        part.value
        for name in ("mark_flag_as_required", "mark_flags_as_required")
        for site in index.sites.get(name, ())
        for part in parts_of(*site.call.term.args)
        if isinstance(part, Const)
    )


def _is_of_parser(site: CallSite) -> bool:
    """Whether a call named ``add`` declares an option: a set that a text is put into is told nothing more."""
    return not _OF_OPTIONS.isdisjoint(keyword for keyword, _ in site.call.term.kwargs)


def _in_loop(program: Program, site: CallSite) -> Iterator[Declared]:
    """The options that a loop over the items of a dict declares."""
    beside = takes_key(site, default_of(site))
    switched = kept_of(site, "action")
    for item in by_items(program, site):
        default, takes = _default_declared(site.call.term), _takes(site.call.term, "text")
        if beside:
            default = (item.value.value,) if item.value is not None else None
            takes = _LIKE.get(item.value.type, "") if item.value is not None else ""
            if default == (False,) and switched is not None and isinstance(switched, Const):
                takes = "on"
        yield Declared(item.name, (f"--{item.name}",), item.module, item.spot, default, takes)


def _by_keywords(site: CallSite) -> Iterator[Declared]:
    """The options that one call declares, each by a keyword; what is a configuration of its own is not followed."""
    for name, value in site.call.term.kwargs:
        if name is not None and isinstance(value, Const):
            yield Declared(name, (f"--{name}",), site.module, site.call.term.site, (value.value,), _LIKE.get(value.type, ""))


def _by_call(site: CallSite, unsaid: str) -> Declared | None:
    """An option of argparse or click; ``unsaid`` is what it takes where its type is not said."""
    term = site.call.term
    keywords = dict(term.kwargs)
    texts = [each.value for each in term.args if isinstance(each, Const) and isinstance(each.value, str)]
    flags = [text.partition("/")[0] for text in texts if text.startswith("-")]
    flags.sort(key=lambda text: not text.startswith("--"))
    if not flags:
        return None
    bare = [text for text in texts if not text.startswith("-")]  # of click: the name that the function has it by
    given = keywords.get("dest")
    name = (
        given.value
        if given is not None and isinstance(given, Const)
        else bare[0]
        if bare
        else flags[0].lstrip("-").replace("-", "_")
    )
    default = keywords.get("default")
    required = keywords.get("required")
    return Declared(
        str(name),
        tuple(flags),
        site.module,
        term.site,
        _default_declared(term),
        _takes(term, unsaid),
        is_required=required is not None and isinstance(required, Const) and required.value is True,
        is_worked_out=default is not None and isinstance(default, (Call, BinOp, Select)),
    )


def _default_declared(call: Call) -> tuple[object] | None:
    keywords = dict(call.kwargs)
    if None in keywords or "required" in keywords:
        return None
    given = keywords.get("default")
    action = keywords.get("action")
    if given is not None:
        return (given.value,) if isinstance(given, Const) else None
    if action is not None and isinstance(action, Const):
        return {"store_true": (False,), "store_false": (True,)}.get(action.value, (None,))
    if "is_flag" in keywords:
        return (False,)
    return (None,)


def _takes(call: Call, unsaid: str) -> str:
    keywords = dict(call.kwargs)
    action = keywords.get("action")
    if action is not None:
        return {"store_true": "on", "store_false": "off"}.get(action.value, "other") if isinstance(action, Const) else "other"
    if "is_flag" in keywords:
        return "on"
    if "nargs" in keywords or None in keywords:
        return "other"
    given = keywords.get("type")
    if given is None:
        return unsaid
    return _TYPES.get(last_name(given) or "", "")


def _by_nodes(program: Program) -> Iterator[Declared]:
    """The defaults of a configuration of yacs: ``_C.DATA.WORKERS = 8``."""
    for path, module in program.modules.items():
        top = module.functions.get("<module>")
        if top is None or not any(dotted.startswith("yacs") for dotted in imported(module)):
            continue
        parts: dict[Term, tuple[str, ...]] = {}  # the nodes that stand in another one
        for node in of_kind(top, Store):
            base = root_of(node.target)
            way = (*parts.get(base, ()), *chain_of(node.target))
            if not way or last_name(base) not in _NODES:
                continue
            if isinstance(node.value, Call):
                parts[node.value] = way
            else:
                default = (node.value.value,) if isinstance(node.value, Const) else None
                yield Declared(way[-1], (".".join(way),), path, node.spot, default)


# -- classes and functions that are handed to a parser -----------------------------------------------------------------


def _by_classes(program: Program) -> Iterator[Declared]:
    for value, style in _handed(program):
        if isinstance(value, ClassValue):
            yield from fields(program, value, style, (), frozenset())
        else:
            yield from _parameters(value, style)


def _handed(program: Program) -> Iterator[tuple[ClassValue | FunctionValue, str]]:
    """The classes and functions that parsers are handed, each with how their options are written."""
    table: Mapping[str, str] = program.knowledge.tables["preflight.parsers"]
    index = program.ask(CallGraph)
    wanted = {name.rpartition(".")[2]: style for name, style in table.items()}
    derived = {
        cls.name
        for path, module in program.modules.items()
        for cls in module.classes.values()
        if any(last_name(base) in wanted for base in cls.bases)
        and any(isinstance(each, Library) and each.name in table for each in program.lineage(ClassValue(path, cls)))
    }
    for name in {*wanted, *derived}:
        for site in index.sites.get(name, ()):
            frame = program.frame(site.module, site.function)
            style = next(
                (found for value in program.values(site.call.term.callee, frame) if (found := _style(program, value, table))),
                None,
            )
            if style is None:
                continue
            for given in (*site.call.term.args[:1], *(value for _, value in site.call.term.kwargs)):
                for each in given.items if isinstance(given, SequenceDisplay) and type(given.items) is tuple else (given,):
                    made = each.callee if isinstance(each, Call) else each
                    for value in program.values(made, frame):
                        if isinstance(value, (ClassValue, FunctionValue)):
                            yield value, style
    for path, function in program.functions():
        for decorator in function.decorators:
            if isinstance(decorator, Call) and last_name(decorator.callee) == "wrap" and function.parameters:
                annotation = function.annotations.get(function.parameters[0])
                frame = program.frame(path, function)
                for value in () if annotation is None else program.values(annotation, frame):
                    if isinstance(value, ClassValue):
                        yield value, "--a.b"


def _style(program: Program, value: object, table: Mapping[str, str]) -> str | None:
    if isinstance(value, Library):
        return table.get(value.name)
    if isinstance(value, ClassValue):
        above = program.lineage(value)
        return next((table[each.name] for each in above if isinstance(each, Library) and each.name in table), None)
    return None


def fields(program: Program, value: ClassValue, style: str, way: tuple[str, ...], seen: frozenset[str]) -> Iterator[Declared]:
    """The fields of a class, its bases' and those of the classes of its fields."""
    if value.cls.qualname in seen:
        return
    seen |= {value.cls.qualname}
    done: set[str] = set()
    for each in program.lineage(value):
        if not isinstance(each, ClassValue):
            continue
        frame = program.frame(each.module, program.modules[each.module].functions["<module>"])
        for name in each.cls.fields:
            if name in done or name.startswith("_"):
                continue
            done.add(name)
            given = each.cls.attributes.get(name)
            inner = factory(given)
            nested = [found for found in program.values(inner, frame) if isinstance(found, ClassValue)] if inner else []
            if nested:
                yield from fields(program, nested[0], style, (*way, name), seen)
                continue
            default, spot = (
                default_of_field(given),
                given.site if given is not None and isinstance(given, Call) else each.cls.spot,
            )
            flag = _written(style, (*way, name))
            yield Declared(name, (flag,), each.module, spot, default, "", style == "a.b=", given is None and style != "a.b=")


def factory(given: Term | None) -> Term | None:
    """What makes the value of a field: ``Optim`` of ``Optim()`` and of ``field(default_factory=Optim)``."""
    if given is None or not isinstance(given, Call):
        return None
    if last_name(given.callee) != "field":
        return given.callee if not given.args else None
    found: Term | None = dict(given.kwargs).get("default_factory")
    return found


def default_of_field(given: Term | None) -> tuple[object] | None:
    """What a field is unless it is said."""
    if given is not None and isinstance(given, Call) and last_name(given.callee) in ("field", "Field"):
        given = dict(given.kwargs).get("default")
    return (given.value,) if given is not None and isinstance(given, Const) else None


def _parameters(value: FunctionValue, style: str) -> Iterator[Declared]:
    """The parameters of a function that is called with what the command line says."""
    function: Function = value.function
    for name in function.parameters:
        given = function.defaults.get(name)
        default = (given.value,) if given is not None and isinstance(given, Const) else None
        flag = _written(style, (name,))
        yield Declared(name, (flag,), value.module, function.spot, default, is_required=given is None, owner=function.qualname)


def _parameters_with_defaults(before: str, value: FunctionValue) -> Iterator[Declared]:
    """The options of a function that is bound to the command line."""
    function: Function = value.function
    for name, given in function.defaults.items():
        default = (given.value,) if isinstance(given, Const) else None
        takes = "on" if default == (False,) else ""
        yield Declared(name, (f"--{before}{name}",), value.module, function.spot, default, takes, owner=function.qualname)


def _written(style: str, way: tuple[str, ...]) -> str:
    if style == "--a":
        return f"--{way[-1]}"
    if style == "--a-b":
        return "--" + ".".join(way).replace("_", "-")
    return f"--{'.'.join(way)}" if style == "--a.b" else ".".join(way)


def lent(program: Program) -> Iterator[Declared]:
    """Those of a program."""
    table: Mapping[str, list[str]] = program.knowledge.tables["preflight.lent-options"]
    for site in calls_of_library(program, known(program, "lends-options")):
        if any(program.together(site.module, each.module) for each in _readers(program)):
            for name in table:
                yield Declared(name, (f"--{name}",), site.module, site.call.term.site, _default_of_library(table[name][0]))


def reading(program: Program, files: Iterable[str], line: str) -> tuple[str, str, Spot] | None:
    """The option that speaks for a line, and where a trainer in some files is made of such options: file, place."""
    table: Mapping[str, list[str]] = program.knowledge.tables["preflight.lent-options"]
    own = frozenset(files)
    name = next((each for each, (_, *lines) in table.items() if line in lines), None)
    if name is None or not any(each.module in own for each in calls_of_library(program, known(program, "lends-options"))):
        return None
    where = next((each for each in _readers(program) if each.module in own), None)
    return None if where is None else (name, where.module, where.call.term.site)


def _default_of_library(text: str) -> tuple[object]:
    return ({"off": False, "none": None}.get(text) if text in ("off", "none") else int(text),)


def _readers(program: Program) -> Iterator[CallSite]:
    """The calls that make a trainer of options."""
    yield from program.ask(CallGraph).sites.get("from_argparse_args", ())
    for site in calls_of_library(program, known(program, "trainers-with-arguments")):
        spread = [value for keyword, value in site.call.term.kwargs if keyword is None]
        if any(
            (isinstance(value, Call) and last_name(value.callee) == "vars") or last_name(value) == "__dict__" for value in spread
        ):
            yield site
