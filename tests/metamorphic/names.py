"""All names changed: what variables, parameters, functions, classes and attributes are called says nothing of what they are.

`tests/renaming.py` does so for projects that were written for it. Here are programs that were not: a name stays that a framework,
a text or a document may ask for. Files keep their names, and lines their places.
"""

from __future__ import annotations

import ast
import builtins
import io
import keyword
import re
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tests.metamorphic.drafts import Defines, Draft, Program, drafts, text_of
from trainlint import knowledge

FUNCTION, CLASS, PARAMETER, OTHER = "function", "class", "parameter", "other"

Pools = Mapping[str, tuple[str, ...]]
MEANINGLESS: Pools = {FUNCTION: ("q",), CLASS: ("q",), PARAMETER: ("q",), OTHER: ("q",)}
MISLEADING: Pools = {
    FUNCTION: ("domain_of", "interval", "payload", "remainder", "upload", "evaluate"),
    CLASS: ("Helper", "TestLoader", "MainTool"),
    PARAMETER: ("trainer", "callback", "fixture", "writer", "engine"),
    OTHER: ("helper", "validated", "mainly", "loaded", "tested", "printed"),
}
"""By role the names that are given first; those after them have a number."""

_PLAIN_BASES = frozenset({"object", "Module", "Dataset", "IterableDataset", "ABC", "Protocol", "Generic"})
"""Bases that ask a class for nothing but methods that are known by name."""

_OF_A_MODULE = frozenset(
    {
        *("training", "forward", "call", "build", "compile", "train", "eval", "apply", "type", "to", "cpu", "cuda", "xla"),
        *("half", "float", "double", "bfloat16", "parameters", "buffers", "modules", "children", "named_parameters"),
        *("named_buffers", "named_modules", "named_children", "state_dict", "load_state_dict", "zero_grad", "requires_grad_"),
        *("add_module", "get_submodule", "register_buffer", "register_parameter", "extra_repr", "dump_patches"),
    }
)
_CALLED_BY_OWN_CODE = frozenset({"forward", "call"})
_DYNAMIC = frozenset({"vars", "locals", "globals", "eval", "exec", "pytest", "fire"})
_NEVER = frozenset({*dir(builtins), *keyword.kwlist, *keyword.softkwlist, "self", "cls", "_"})
_BUILTIN_MEMBERS = frozenset(
    name for each in (object, str, bytes, list, dict, set, tuple, int, float, type, io.StringIO, Path) for name in dir(each)
)


@cache
def _known() -> frozenset[str]:
    """Every word of the knowledge of libraries: a member that is called so may be a library's."""
    texts = (path.read_text(encoding="utf-8") for path in Path(knowledge.__file__).parent.glob("*.toml"))
    return frozenset(word for text in texts for word in re.findall(r"[A-Za-z_]\w*", text))


@dataclass
class _Names:
    """What a program names."""

    roles: dict[str, str] = field(default_factory=dict)
    """Every name that some scope binds, with the role it has first."""
    members: set[str] = field(default_factory=set)
    """Attributes, methods and variables of the project's classes, and what the top of its files binds."""
    declared: set[str] = field(default_factory=set)
    """Those of them that are no more than a name where they are bound: methods, fields, what the top of a file binds."""
    through_files: set[str] = field(default_factory=set)
    """What is asked of files as an attribute."""
    fields: set[str] = field(default_factory=set)
    foreign: set[str] = field(default_factory=set)
    """What other libraries' imports bind."""
    files: set[str] = field(default_factory=set)
    """What files and folders are called."""
    modules: set[str] = field(default_factory=set)
    """What imports of the project's own files bind."""
    callables: set[str] = field(default_factory=set)
    keywords: list[tuple[ast.expr, str]] = field(default_factory=list)
    """Whose call has which keyword."""
    receivers: dict[str, set[str]] = field(default_factory=dict)
    """By attribute the names that stand before the first dot; an empty one where there is more than one."""
    asked_by_others: set[str] = field(default_factory=set)
    """Classes of which a framework may ask any method, since they are derived from one of its own."""
    stay: set[str] = field(default_factory=set)
    stay_after_dot: set[str] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)
    """Words of texts and documents, which may ask for anything but a variable of a function."""
    starred: bool = False
    """Whether a call hands on a dict as keywords."""

    def bind(self, name: str, role: str) -> None:
        if role == PARAMETER or name not in self.roles:
            self.roles[name] = role


def _root(node: ast.AST) -> str:
    """The name that an expression begins with, or an empty text."""
    while not isinstance(node, ast.Name):
        if isinstance(node, ast.Attribute | ast.Subscript):
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        else:
            return ""
    return node.id


def _read(names: _Names, tree: ast.Module) -> None:
    """Add what a file names."""
    inside_format = {id(each) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for each in ast.walk(node)}
    documented = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Import() | ast.ImportFrom():
                _read_import(names, node)
            case ast.Name(id=name) if name in _DYNAMIC:
                raise ValueError(name)
            case ast.Name(id=name, ctx=ast.Store()):
                names.bind(name, OTHER)
            case ast.arg(arg=name):
                names.bind(name, PARAMETER)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                names.bind(name, OTHER)
            case ast.MatchMapping() | ast.MatchClass():
                names.stay |= {node.rest or "_"} if isinstance(node, ast.MatchMapping) else set(node.kwd_attrs)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.bind(name, CLASS if isinstance(node, ast.ClassDef) else FUNCTION)
                names.callables.add(name)
                if isinstance(node, ast.ClassDef):
                    _read_class(names, node)
            case ast.Attribute() | ast.Call():
                _read_use(names, node)
                if id(node) in inside_format and isinstance(node, ast.Call):
                    names.stay.update(each.arg for each in node.keywords if each.arg is not None)
            case ast.Constant(value=str(text)) if id(node) not in documented and id(node) not in inside_format:
                if " " not in text.strip():
                    names.texts.update(re.findall(r"\w+", text.lstrip("-").replace("-", "_")))
            case _:
                pass
    for statement in tree.body:
        own = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        own = {statement.name} if isinstance(statement, Defines | ast.ClassDef) else own
        names.through_files |= own


def _read_use(names: _Names, node: ast.Attribute | ast.Call) -> None:
    if isinstance(node, ast.Call):
        names.starred |= any(each.arg is None for each in node.keywords)
        names.keywords += [(node.func, each.arg) for each in node.keywords if each.arg is not None]
        return
    whose = names.receivers.setdefault(node.attr, set())
    whose.add(_root(node.value))
    if not isinstance(node.value, ast.Name):
        whose.add("")  # of `self.scaler.step` it is what `self` holds that is asked
    if isinstance(node.ctx, ast.Store) and _root(node.value) in {"self", "cls"}:
        names.members.add(node.attr)


def _read_import(names: _Names, node: ast.Import | ast.ImportFrom) -> None:
    for each in node.names:
        bound = each.asname or (each.name if isinstance(node, ast.ImportFrom) else each.name.partition(".")[0])
        where = (node.module or "") if isinstance(node, ast.ImportFrom) else each.name
        own = (isinstance(node, ast.ImportFrom) and node.level > 0) or where.partition(".")[0] in names.files
        if each.name == "*" or where.partition(".")[0] in _DYNAMIC:
            raise ValueError(each.name)
        if not own:
            names.foreign.add(bound)
        elif isinstance(node, ast.Import) or each.name in names.files:
            names.modules.add(bound)
        elif each.asname:
            names.bind(bound, OTHER)
            names.callables.add(bound)
            names.through_files.add(bound)


def _read_class(names: _Names, node: ast.ClassDef) -> None:
    bases = [(base.attr if isinstance(base, ast.Attribute) else _root(base), _root(base)) for base in node.bases]
    plain = all(last in _PLAIN_BASES or root not in names.foreign for last, root in bases) and not node.keywords
    plain = plain and names.asked_by_others.isdisjoint(last for last, _ in bases)
    if not plain:
        names.asked_by_others.add(node.name)
    for each in node.body:
        bound = set[str]()
        if isinstance(each, Defines):
            bound = {each.name}
            given = {one.arg for one in (*each.args.posonlyargs, *each.args.args, *each.args.kwonlyargs)}
            own = each.name.startswith("__") or each.name in _CALLED_BY_OWN_CODE
            if not plain and not own:
                names.stay |= given
            if each.name in _CALLED_BY_OWN_CODE and names.starred:
                names.stay |= given
        elif isinstance(each, ast.Assign):
            bound = {one.id for target in each.targets for one in ast.walk(target) if isinstance(one, ast.Name)}
        elif isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            bound = {each.target.id}
            names.fields |= bound
        names.members |= bound
        names.declared |= bound
        if not plain:
            names.stay |= bound
    if not plain:
        attributes = (one for one in ast.walk(node) if isinstance(one, ast.Attribute) and _root(one.value) == "self")
        names.stay_after_dot |= {one.attr for one in attributes} & _known()


def _movable(names: _Names) -> tuple[set[str], set[str], set[str]]:
    """The names that can be others, those of them that can after a dot, and those that can as keywords of own functions."""
    modules = names.modules - set(names.roles) - names.foreign
    members = set()
    for each in names.members | names.through_files:
        receivers = names.receivers.get(each, set())
        fixed = each in _OF_A_MODULE or each in _BUILTIN_MEMBERS or each in names.stay_after_dot or receivers & names.foreign
        if not fixed and (each not in _known() or receivers <= {"self", "cls", *modules}):
            members.add(each)
    parameters = {name for name, role in names.roles.items() if role == PARAMETER} | names.fields
    local = {name for name, role in names.roles.items() if role == OTHER} - parameters - names.through_files - names.declared
    asked = {each for each in names.through_files if names.receivers.get(each, set()) & names.modules}
    stay = names.stay | names.foreign | names.modules | _NEVER | ((names.declared | asked) - members) | (names.texts - local)
    stay |= {each for callee, each in names.keywords if each in parameters and not _own(names, callee, members)}
    stay |= {each for each in (*names.roles, *members) if each.startswith(("__", "test"))}
    return (set(names.roles) | members) - stay, members - stay - names.texts, parameters - stay


def _own(names: _Names, callee: ast.expr, members: set[str]) -> bool:
    """Whether a function or class of the project is called."""
    if isinstance(callee, ast.Attribute):
        return callee.attr in names.callables and callee.attr in members
    return isinstance(callee, ast.Name) and callee.id in names.callables and callee.id not in names.foreign


def _chosen(names: _Names, movable: Iterable[str], pools: Pools, taken: set[str]) -> dict[str, str]:
    """Old name to new name."""
    counts = dict.fromkeys(pools, 0)
    made: dict[str, str] = {}
    for old in sorted(movable):
        role = names.roles.get(old, OTHER)
        pool = pools[role]
        while True:
            number = counts[role]
            counts[role] += 1
            new = pool[number] if number < len(pool) and pool != ("q",) else f"{pool[number % len(pool)]}_{number // len(pool)}"
            new = f"q{sum(counts.values()):03d}" if pool == ("q",) else new
            if new not in taken:
                break
        taken.add(new)
        made[old] = new
    return made


def _places(
    draft: Draft, names: _Names, after_dot: set[str], as_keyword: set[str]
) -> tuple[dict[tuple[int, int], bool], set[tuple[int, int]]]:
    """Where keywords stand, and whether they change; where statements stand that import from the project's files."""
    keywords: dict[tuple[int, int], bool] = {}
    own_imports = set()
    formatted = {id(each) for node in ast.walk(draft.tree) if isinstance(node, ast.JoinedStr) for each in ast.walk(node)}
    for node in ast.walk(draft.tree):
        if id(node) in formatted:
            continue  # their places differ between versions of Python, and their keywords stay
        if isinstance(node, ast.Call):
            own = _own(names, node.func, after_dot)
            keywords.update({draft.start(each): own and each.arg in as_keyword for each in node.keywords if each.arg})
        elif isinstance(node, ast.keyword) and node.arg:
            keywords.setdefault(draft.start(node), False)  # of a class
        elif isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").partition(".")[0] in names.files):
            own_imports.add(draft.start(node))
    return keywords, own_imports


def _rename(draft: Draft, names: _Names, new: dict[str, str], after_dot: set[str], as_keyword: set[str]) -> None:
    """Give the names of a file their new ones."""
    keywords, own_imports = _places(draft, names, after_dot, as_keyword)
    before, importing = "", ""
    for token in tokenize.generate_tokens(io.StringIO(text_of(draft.lines)).readline):
        if token.type in (tokenize.COMMENT, tokenize.NL):
            continue
        if token.type == tokenize.STRING and "f" in re.match(r"\w*", token.string)[0].lower():  # type: ignore[index]
            for offset, name, dotted in _formatted(token.string):
                if name in (after_dot if dotted else new):
                    above = token.string[:offset].count("\n")
                    column = offset - token.string.rfind("\n", 0, offset) - 1 if above else token.start[1] + offset
                    draft.replace(token.start[0] + above, column, column + len(name), new[name])
        elif token.type == tokenize.NAME:
            change = False
            starts = before in ("", ";", ":") and token.string in ("import", "from")
            if starts:
                importing = "own" if token.start in own_imports else "foreign"
                importing += " from" if token.string == "from" else ""
            elif importing == "own from" and token.string == "import":
                importing = "own"
            elif importing:
                change = importing == "own" and token.string in new
            elif before == ".":
                change = token.string in after_dot
            else:
                change = keywords.get(token.start, token.string in new)
            if change:
                draft.replace(*token.start, token.end[1], new[token.string])
        ends = token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING)
        before = "" if ends else token.string
        importing = "" if ends or token.string == ";" else importing


def _formatted(text: str) -> Iterator[tuple[int, str, bool]]:
    """The names in the fields of an f-string: where each begins, the name, and whether it stands behind a dot."""
    opened: list[str] = []  # brackets of fields; "spec" for what stands behind the colon of one
    quote, at = "", text.find(text[-1])
    at += 3 if text[at : at + 3] == text[-1] * 3 else 1
    while at < len(text):
        char = text[at]
        literal = not opened or opened[-1] == "spec"
        if quote:
            quote = "" if char == quote else quote
        elif literal and char == "{":
            if text[at + 1] == "{" and not opened:
                at += 1
            else:
                opened.append("{")
        elif char == "}" and opened:
            if opened.pop() == "spec":
                opened.pop()
        elif not literal and char in "'\"":
            quote = char
        elif not literal and char in "([{":
            opened.append(char)
        elif not literal and char in ")]":
            opened.pop()
        elif not literal and opened[-1] == "{" and _field(opened) and char in ":!" and text[at + 1] != "=":
            opened.append("spec")
        elif not literal and (found := re.compile(r"[^\W\d]\w*").match(text, at)) and not re.match(r"[\w]", text[at - 1]):
            yield at, found[0], text[at - 1] == "."
            at = found.end() - 1
        at += 1


def _field(opened: list[str]) -> bool:
    """Whether the innermost bracket is that of a field, not of a dict or set in it."""
    return len(opened) == 1 or opened[-2] == "spec"


def renamed(pools: Pools, program: Program) -> Program | None:
    """The program with other names; None where there is none that can be another, or where names are made of texts."""
    names = _Names()
    for path in program:
        parts = path.removesuffix(".py").split("/")
        names.files |= set(parts) if path.endswith(".py") else set()
        if not path.endswith(".py"):
            names.texts |= set(re.findall(r"\w+", text_of(program[path])))
    parsed = list(drafts(program))
    if len(parsed) != sum(path.endswith(".py") for path in program):
        return None
    try:
        for _ in range(
            2
        ):  # what is a keyword of a dict handed on, or derived from a framework, is known only after the first time
            for draft in parsed:
                _read(names, draft.tree)
    except ValueError:
        return None
    movable, after_dot, as_keyword = _movable(names)
    new = _chosen(names, movable, pools, {word for draft in parsed for word in draft.words})
    made = dict(program)
    for draft in parsed:
        _rename(draft, names, new, after_dot, as_keyword)
        made[draft.path] = draft.finished()
    return made if any(draft.edited for draft in parsed) else None
