"""How the options of a command line are declared: by calls of a parser, or as the fields of classes that a parser is handed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite, last_name
from trainlint.facts.components import imported
from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, FunctionValue, Library
from trainlint.finding import Spot
from trainlint.ir.names import chain_of, root_of
from trainlint.ir.nodes import BinOp, Call, Const, Select, SequenceDisplay, Term
from trainlint.ir.sketch import Function, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind
from trainlint.preflight.settings.bound import bound
from trainlint.preflight.settings.by_items import by_items, default_of, kept_of, takes_key

#: Fields of fields of … options.
_DEEPEST = 6
#: What configurations of yacs are made by.
_NODES = ("CfgNode", "CN")
#: What configargparse calls ``add_argument``, too.
_SHORT = ("add", "add_arg")
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
    for name in ("add_argument", "option", *_SHORT, *(name for name in index.sites if name.startswith("DEFINE_"))):
        for site in index.sites.get(name, ()):
            if name in _SHORT and not _is_of_parser(site):
                continue
            found = _absl(site, needed) if name.startswith("DEFINE_") else _by_call(site)
            if found is not None:
                yield found
            elif name == "add_argument":
                yield from _in_loop(program, site)
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
    for site in program.ask(CallGraph).sites.get("add_argument", ()):
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
    beside = takes_key(program, site, default_of(site))
    switched = kept_of(site, "action")
    for item in by_items(program, site):
        default, takes = _default(site.call.term), _takes(site.call.term)
        if beside:
            default = (item.value.value,) if isinstance(item.value, Const) else None
            takes = _LIKE.get(item.value.type, "") if isinstance(item.value, Const) else ""
            if default == (False,) and switched is not None and isinstance(switched, Const):
                takes = "on"
        yield Declared(item.name, (f"--{item.name}",), item.module, item.spot, default, takes)


def _by_keywords(site: CallSite) -> Iterator[Declared]:
    """The options that one call declares, each by a keyword; what is a configuration of its own is not followed."""
    for name, value in site.call.term.kwargs:
        if name is not None and isinstance(value, Const):
            yield Declared(name, (f"--{name}",), site.module, site.call.term.site, (value.value,), _LIKE.get(value.type, ""))


def _by_call(site: CallSite) -> Declared | None:
    """An option of argparse or click."""
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
        _default(term),
        _takes(term),
        is_required=required is not None and isinstance(required, Const) and required.value is True,
        is_worked_out=default is not None and isinstance(default, (Call, BinOp, Select)),
    )


def _default(call: Call) -> tuple[object] | None:
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


def _takes(call: Call) -> str:
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
        return "text" if last_name(call.callee) in ("add_argument", *_SHORT) else ""
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
    if value.cls.qualname in seen or len(way) > _DEEPEST:
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
