"""Changes of a program after which it does what it did before: what was reported stays reported, what was silent stays silent.

Each is an edit of the text by place, so that lines keep their origin. What is unknown (a timer, a decorator) is imported from
a module that is nowhere. `tests/metamorphic/test_changes.py` runs a program before and after each change.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from tests.metamorphic.drafts import Defines, Draft, Line, Loop, Program, drafts, written
from tests.metamorphic.names import MEANINGLESS, MISLEADING, renamed

NOWHERE = "elsewhere"
"""The module that what is unknown comes from."""

OF_ONE_KIND = frozenset(
    {
        "torch.optim",
        "torch.optim.lr_scheduler",
        "torchvision.models",
        "torchvision.datasets",
        "tensorflow.keras.optimizers",
        "keras.optimizers",
    }
)
"""Modules of which every class is the same kind of thing: what a class of a name out of sight is can be seen from the module."""


class Change(NamedTuple):
    """A change: its name, what it does, and how. ``make`` gives None where there is nothing to change."""

    name: str
    says: str
    make: Callable[[Program], Program | None]


def edited(edit: Callable[[Draft], None], program: Program) -> Program | None:
    """The program with an edit made in each of its Python files; None when that leaves all of them as they are."""
    made = dict(program)
    changed = False
    for draft in drafts(program):
        edit(draft)
        if draft.edited:
            made[draft.path] = draft.finished()
            changed = True
    return made if changed else None


def _from_nowhere(draft: Draft, name: str) -> str:
    """Imports something unknown; returns the name that it has in the file."""
    own = draft.unused(name)
    draft.imports(f"from {NOWHERE} import {name}" + (f" as {own}" if own != name else ""))
    return own


# -- in loops -----------------------------------------------------------------------------------------------------------------


def _loops(draft: Draft) -> Iterator[Loop]:
    """The loops whose body has lines of its own."""
    for node in ast.walk(draft.tree):
        if isinstance(node, Loop) and all(draft.alone(each) for each in node.body):
            yield node


def _head_of_loop(draft: Draft, name: str, call: str) -> None:
    for loop in _loops(draft):
        own = draft.unused(name)
        draft.before(draft.head(loop.body) + 1, call.format(own), draft.first(loop.body[0]))
    if draft.edited:
        _from_nowhere(draft, name)


def _end_of_loop(draft: Draft, name: str, call: str) -> None:
    for loop in _loops(draft):
        own, last = draft.unused(name), loop.body[-1]
        if isinstance(last, ast.Return | ast.Raise | ast.Break | ast.Continue):
            draft.before(draft.first(last), call.format(own), draft.first(last))
        else:
            draft.after(draft.end(last)[0], (call.format(own), draft.first(last), 0))
    if draft.edited:
        _from_nowhere(draft, name)


def _before_last_of_loop(draft: Draft, name: str, call: str) -> None:
    for loop in _loops(draft):
        own, last = draft.unused(name), loop.body[-1]
        draft.before(draft.first(last), call.format(own), draft.first(last))
    if draft.edited:
        _from_nowhere(draft, name)


def _guarded(draft: Draft, jump: str) -> None:
    own = draft.unused("skip")
    for loop in _loops(draft):
        line, like = draft.head(loop.body) + 1, draft.first(loop.body[0])
        draft.before(line, f"if {own}():", like)
        draft.before(line, jump, like, 1)
    if draft.edited:
        _from_nowhere(draft, "skip")


# -- of objects ---------------------------------------------------------------------------------------------------------------


def _prepared(draft: Draft) -> None:
    """``x = prepare(x)`` under a test, behind ``x = Something(...)``."""
    own, test = draft.unused("prepare"), draft.unused("prepared")
    for block, owner in draft.statements():
        if isinstance(owner, ast.ClassDef):
            continue
        for node in block:
            target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
            target = node.target if isinstance(node, ast.AnnAssign) else target
            value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
            if target is None or value is None or not draft.alone(node) or not _constructs(value):
                continue
            if isinstance(target, ast.Name) or (isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name)):
                name, like = ast.unparse(target), draft.first(node)
                draft.after(draft.end(node)[0], (f"if {test}:", like, 0), (f"{name} = {own}({name})", like, 1))
    if draft.edited:
        _from_nowhere(draft, "prepare")
        _from_nowhere(draft, "prepared")


def _constructs(value: ast.expr) -> bool:
    """``Net(...)`` or ``Net(...).to(device)``."""
    while isinstance(value, ast.Call):
        if _dotted(value.func).rpartition(".")[2][:1].isupper():
            return True
        value = value.func.value if isinstance(value.func, ast.Attribute) else value.func
    return False


def _dotted(node: ast.expr) -> str:
    """``a.b.C``, or an empty text for what is no such name."""
    if isinstance(node, ast.Attribute):
        inner = _dotted(node.value)
        return f"{inner}.{node.attr}" if inner else ""
    return node.id if isinstance(node, ast.Name) else ""


class _Constructed(NamedTuple):
    """A call of a class: the node of what is called, the dotted name by which the file knows it, the one it really has, and
    the last line of the statement that binds its first part."""

    node: ast.expr
    spelled: str
    full: str
    bound: int


def _constructions(draft: Draft) -> Iterator[_Constructed]:
    """Calls of classes that the top of the file imports or defines, under names that mean nothing else in the file."""
    bound: dict[str, tuple[str, int]] = {}
    for node in draft.tree.body:
        line = node.end_lineno or 0
        if isinstance(node, ast.Import):
            for each in node.names:
                first = each.name.partition(".")[0]
                bound[each.asname or first] = (each.name if each.asname else first, line)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            bound.update({each.asname or each.name: (f"{node.module}.{each.name}", line) for each in node.names})
        elif isinstance(node, ast.ClassDef) and draft.alone(node):
            bound[node.name] = (node.name, line)
    for name, times in _bindings(draft.tree).items():
        if times > 1:
            bound.pop(name, None)
    formatted = {id(inner) for node in ast.walk(draft.tree) if isinstance(node, ast.JoinedStr) for inner in ast.walk(node)}
    later = {
        id(inner)
        for node in ast.walk(draft.tree)
        if isinstance(node, Defines)
        for statement in node.body
        for inner in ast.walk(statement)
    }
    for call in ast.walk(draft.tree):
        if not isinstance(call, ast.Call) or id(call) in formatted:
            continue
        spelled = _dotted(call.func)
        root, dot, rest = spelled.partition(".")
        if root not in bound or not spelled.rpartition(".")[2][:1].isupper() or call.func.lineno != call.func.end_lineno:
            continue
        full, line = bound[root]
        if id(call) in later or call.lineno > line:
            yield _Constructed(call.func, spelled, full + dot + rest, line)


def _bindings(tree: ast.AST) -> dict[str, int]:
    """How often each name is bound in a file, in whatever scope."""
    found: dict[str, int] = {}
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names = [node.id]
        elif isinstance(node, ast.arg):
            names = [node.arg]
        elif isinstance(node, Defines | ast.ClassDef):
            names = [node.name]
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names = sorted({each.asname or each.name.partition(".")[0] for each in node.names})
        for name in names:
            found[name] = found.get(name, 0) + 1
    return found


def _by_name(draft: Draft, *, constant: bool) -> None:
    """``getattr(module, name)(...)``: the name is a constant of the file, or comes from elsewhere."""
    chosen, imported = draft.unused("chosen"), dict[str, str]()
    names = dict[str, str]()
    for each in _constructions(draft):
        module, _, last = each.full.rpartition(".")
        if not module or not (constant or module in OF_ONE_KIND):
            continue
        holder = each.spelled.rpartition(".")[0]
        if not holder:
            holder = imported.setdefault(module, draft.unused(f"{module.rpartition('.')[2]}_kinds"))
        name = names.setdefault(last, draft.unused(f"{last.upper()}_KIND")) if constant else f"{chosen}.{last}"
        line, start = draft.start(each.node)
        draft.replace(line, start, draft.end(each.node)[1], f"getattr({holder}, {name})")
    if draft.edited:
        draft.imports(
            *(f"import {module} as {holder}" for module, holder in imported.items()),
            *(f'{name} = "{last}"' for last, name in names.items()),
        )
        if not constant:
            _from_nowhere(draft, "chosen")


def _from_dict(draft: Draft) -> None:
    """``KINDS["SGD"](...)``: the classes of the file that it imports are in one dict, each of its own in another."""
    several: dict[str, list[_Constructed]] = {}
    for each in _constructions(draft):
        several.setdefault(each.full if "." not in each.full else "", []).append(each)
    for own, calls in several.items():
        kinds = draft.unused(f"{own.upper()}_KINDS".lstrip("_"))
        line = max(each.bound for each in calls)
        here = [each for each in calls if each.node.lineno > line]
        keys: dict[str, str] = {}
        for each in here:
            key = each.full.rpartition(".")[2]
            if keys.setdefault(key, each.spelled) != each.spelled:
                continue
            start = draft.start(each.node)[1]
            draft.replace(each.node.lineno, start, draft.end(each.node)[1], f'{kinds}["{key}"]')
        if keys:
            draft.after(line, (f"{kinds} = {{{', '.join(f'{key!r}: {spelled}' for key, spelled in keys.items())}}}", 0, 0))


def _decorated(draft: Draft) -> None:
    """Every function has one more decorator, the innermost."""
    own = draft.unused("traced")
    for node in ast.walk(draft.tree):
        if isinstance(node, Defines):
            line, column = draft.start(node)
            if not draft.text(line)[:column].strip():
                draft.before(line, f"@{own}", line)
    if draft.edited:
        _from_nowhere(draft, "traced")


# -- of statements ------------------------------------------------------------------------------------------------------------


def _tried(draft: Draft, block: list[ast.stmt], own: str) -> None:
    """``try``/``finally`` around statements, each of which has lines of its own."""
    first, last = draft.head(block) + 1, draft.end(block[-1])[0]
    if draft.movable(first, last):
        like = draft.first(block[0])
        draft.before(first, "try:", like, -1)
        draft.indent(first, last)
        draft.after(last, ("finally:", like, -1), (f"{own}.stop()", like, 0))


def _does_nothing(node: ast.stmt) -> bool:
    """What a function consists of that is only declared: ``pass``, ``...``, ``raise NotImplementedError``."""
    return isinstance(node, ast.Pass | ast.Raise) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def _tried_functions(draft: Draft) -> None:
    own = draft.unused("timer")
    for node in ast.walk(draft.tree):
        if isinstance(node, Defines):
            body = node.body[ast.get_docstring(node, clean=False) is not None :]
            if not all(_does_nothing(each) for each in body) and all(draft.alone(each) for each in body):
                _tried(draft, body, own)
    if draft.edited:
        _from_nowhere(draft, "timer")


def _tried_loops(draft: Draft) -> None:
    own = draft.unused("timer")
    inner = {id(each) for node in ast.walk(draft.tree) if isinstance(node, Loop) for each in ast.walk(node) if each is not node}
    for block, _ in draft.statements():
        for node in block:
            if isinstance(node, Loop) and id(node) not in inner and draft.alone(node):
                _tried(draft, [node], own)
    if draft.edited:
        _from_nowhere(draft, "timer")


def _turned(draft: Draft) -> None:
    """``if a: x else: y`` is ``if not (a): y else: x``; an ``elif`` becomes a test of its own within."""
    for node in reversed(list(ast.walk(draft.tree))):
        if not isinstance(node, ast.If) or not node.orelse or not all(draft.alone(each) for each in node.body):
            continue
        head, last = draft.head(node.body), draft.end(node)[0]
        line, column = draft.start(node.orelse[0])
        behind = draft.end(node.body[-1])[0] + 1
        if draft.text(line)[column:].startswith("elif") and isinstance(node.orelse[0], ast.If):
            if not draft.movable(line, last):
                continue
            draft.replace(line, column, column + len("elif"), "if")
            draft.indent(line, last)
            draft.before(draft.order[head], "else:", node.lineno)
            middle, second = line, line
        else:
            between = range(behind, draft.first(node.orelse[0]))
            found = [each for each in between if re.fullmatch(r"\s*else\s*:\s*(#.*)?", draft.text(each))]
            if len(found) != 1 or not all(draft.alone(each) for each in node.orelse):
                continue
            middle, second = found[0], found[0] + 1
        one, other = draft.order[head : middle - 1], draft.order[second - 1 : last]
        draft.order[head:last] = [*other, *draft.order[middle - 1 : second - 1], *one]
        draft.replace(*draft.start(node.test), draft.start(node.test)[1], "not (")
        draft.replace(*draft.end(node.test), draft.end(node.test)[1], ")")


def _returned(draft: Draft) -> None:
    """What stands behind an ``if`` that returns is its ``else``."""
    functions = [node for node in ast.walk(draft.tree) if isinstance(node, Defines)]
    inside = {id(each) for node in functions for each in ast.walk(node)}
    for block, owner in draft.statements():
        for node, behind in zip(block, block[1:], strict=False):
            if (
                not isinstance(node, ast.If)
                or node.orelse
                or not isinstance(node.body[-1], ast.Return)
                or id(node) not in inside
                or isinstance(owner, ast.ClassDef)
                or not draft.alone(behind)
                or not draft.alone(block[-1])
            ):
                continue
            line, last = draft.end(node)[0] + 1, draft.end(block[-1])[0]
            if draft.text(node.lineno).lstrip().startswith("if") and draft.movable(line, last):
                draft.before(line, "else:", node.lineno)
                draft.indent(line, last)


# -- of files -----------------------------------------------------------------------------------------------------------------

_STAYS = re.compile(r"(.*/)?(__init__|__main__|setup|conftest|test_\w+|\w+_test)\.py")


def _in_a_package(program: Program) -> Program | None:
    """The code of ``m.py`` is in a package ``m_parts`` beside it, whose ``__init__.py`` hands it on; ``m.py`` imports it."""
    made = dict(program)
    for draft in drafts(program):
        folder, slash, file = draft.path.rpartition("/")
        parts = f"{file.removesuffix('.py')}_parts"
        if _STAYS.fullmatch(draft.path) or not file.removesuffix(".py").isidentifier():
            continue
        moved = _moved(draft, {part.removesuffix(".py") for path in program for part in path.split("/")})
        if moved is not None:
            names, inner, imports, rest = moved
            dot = "." if f"{folder}{slash}__init__.py" in program else ""
            made[draft.path] = (*map(Line, imports), Line(f"from {dot}{parts} import {names}"), *rest)
            made[f"{folder}{slash}{parts}/{file}"] = inner
            made[f"{folder}{slash}{parts}/__init__.py"] = written(f"from .{file.removesuffix('.py')} import {names}")
    return made if len(made) > len(program) else None


def _moved(draft: Draft, files: set[str]) -> tuple[str, tuple[Line, ...], list[str], tuple[Line, ...]] | None:
    """The names that a file defines, or hands on from others of ``files``, and its code as it stands in the package.

    Then the imports that the rest needs, and the rest of the file, which is what it does when it is started. None for a file of
    which this would make another program: it asks for its own place, or binds its names later or only under a test.
    """
    nodes = list(ast.walk(draft.tree))
    stars = any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in nodes)
    if stars or any(isinstance(node, ast.Global) for node in nodes) or {"__file__", "globals", "__all__"} & draft.words:
        return None
    body = draft.tree.body
    own, started = (body[:-1], body[-1:]) if body and _starts(body[-1]) else (body, [])
    if any(_starts(node) for node in nodes if node not in started):
        return None
    defined = {name: None for node in own for name in _defined(node)}
    imports = [node for node in own if isinstance(node, ast.Import | ast.ImportFrom)]
    imported = {each.asname or each.name.partition(".")[0] for node in imports for each in node.names}
    for statement in imports:
        if isinstance(statement, ast.ImportFrom) and (statement.level or (statement.module or "").partition(".")[0] in files):
            defined.update({each.asname or each.name: None for each in statement.names})
    everything = set(_bindings(ast.Module([each for each in own if not isinstance(each, _SCOPES)], [])))
    used = {each.id for node in started for each in ast.walk(node) if isinstance(each, ast.Name)}
    if not defined or any(isinstance(node, ast.Delete) for node in own) or used & (everything - set(defined) - imported):
        return None
    first = draft.head(started) + 1 if started else len(draft.lines) + 1
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.level and node.lineno < first:
            line, column = draft.start(node)
            dot = draft.text(line).index(".", column)
            draft.replace(line, dot, dot, ".")
    needed = [ast.unparse(node) for node in imports if used & {each.asname or each.name.partition(".")[0] for each in node.names}]
    inner = draft.finished()[: first - 1]
    inner = inner if inner[-1].text == "" else (*inner, Line(""))
    return ", ".join(defined), inner, needed, draft.lines[first - 1 :] or (Line(""),)


_SCOPES = (*Defines.__args__, ast.ClassDef)


def _starts(node: ast.AST) -> bool:
    """``if __name__ == "__main__":``."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Compare) and _dotted(node.test.left) == "__name__"


def _defined(node: ast.stmt) -> Iterator[str]:
    """The names that a statement at the top of a file binds whatever happens, but for imports."""
    if isinstance(node, _SCOPES):
        yield node.name
    elif isinstance(node, ast.With):
        for each in node.body:
            yield from _defined(each)
    else:
        targets = node.targets if isinstance(node, ast.Assign) else []
        targets = [node.target] if isinstance(node, ast.AnnAssign) and node.value else targets
        stored = (each for target in targets for each in ast.walk(target) if isinstance(each, ast.Name))
        yield from (each.id for each in stored if isinstance(each.ctx, ast.Store))


def _tested(program: Program) -> Program | None:
    """Unit tests of the functions and classes at the top of each file, with mocks for whatever they must be given."""
    made = dict(program)
    for draft in drafts(program):
        if _STAYS.fullmatch(draft.path):
            continue
        functions = [node for node in draft.tree.body if isinstance(node, Defines | ast.ClassDef)]
        module = draft.path.removesuffix(".py").replace("/", ".")
        lines = ["from unittest.mock import MagicMock", "", f"from {module} import {', '.join(each.name for each in functions)}"]
        for node in functions:
            lines += ["", "", f"def test_{node.name.lower().strip('_')}():", *_calls(node)]
        path = f"tests/test_{module.replace('.', '_')}.py"
        if functions and path not in program and all(part.isidentifier() for part in module.split(".")):
            made[path] = written(*lines)
    return made if len(made) > len(program) else None


def _calls(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, Defines):
        yield f"    {node.name}({_mocks(node)})"
    elif isinstance(node, ast.ClassDef):
        methods = {each.name: each for each in node.body if isinstance(each, ast.FunctionDef) and not each.decorator_list}
        given = _mocks(methods["__init__"], 1) if "__init__" in methods else ""
        yield f"    tested = {node.name}({given})"
        for name, method in methods.items():
            if not name.startswith("_"):
                yield f"    tested.{name}({_mocks(method, 1)})"


def _mocks(node: Defines, skipped: int = 0) -> str:
    """A mock for each parameter that has no default."""
    needed = [*node.args.posonlyargs, *node.args.args]
    needed = needed[skipped : len(needed) - len(node.args.defaults)]
    keywords = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    named = [f"{each.arg}=MagicMock()" for each, default in keywords if not default]
    return ", ".join([*("MagicMock()" for _ in needed), *named])


def _below(program: Program) -> Program | None:
    """All files stand two folders deeper."""
    return {f"research/detector/{name}": lines for name, lines in program.items()}


CHANGES = (
    Change(
        "timer.step() at the end of loops",
        "An unknown call is the last statement of each loop.",
        partial(edited, partial(_end_of_loop, name="timer", call="{}.step()")),
    ),
    Change(
        "meter.update(1) at the head of loops",
        "An unknown call is the first statement of each loop.",
        partial(edited, partial(_head_of_loop, name="meter", call="{}.update(1)")),
    ),
    Change(
        "callbacks.on_batch() in loops",
        "An unknown call stands before the last statement of each loop.",
        partial(edited, partial(_before_last_of_loop, name="callbacks", call="{}.on_batch()")),
    ),
    Change(
        "break at the head of loops",
        "Each loop begins with `if skip(): break`.",
        partial(edited, partial(_guarded, jump="break")),
    ),
    Change(
        "continue at the head of loops",
        "Each loop begins with `if skip(): continue`.",
        partial(edited, partial(_guarded, jump="continue")),
    ),
    Change(
        "x = prepare(x) under a test",
        "Behind each `x = Something(...)` stands `if prepared: x = prepare(x)`; both are unknown.",
        partial(edited, _prepared),
    ),
    Change(
        "constructor by an unknown name",
        "`getattr(torch.optim, chosen.SGD)(...)` for modules whose classes are of one kind; `chosen` is unknown.",
        partial(edited, partial(_by_name, constant=False)),
    ),
    Change(
        "constructor by a constant name",
        "`getattr(torch.optim, SGD_KIND)(...)` for every class that is imported; the name is a constant of the file.",
        partial(edited, partial(_by_name, constant=True)),
    ),
    Change(
        "constructor from a dict",
        '`KINDS["SGD"](...)` for every class that is imported, and for those of the file.',
        partial(edited, _from_dict),
    ),
    Change("unknown decorator", "Every function and method has an unknown decorator.", partial(edited, _decorated)),
    Change(
        "meaningless names",
        "Variables, parameters, functions, classes, and attributes where that is safe, are called `q001`.",
        partial(renamed, MEANINGLESS),
    ),
    Change(
        "misleading names",
        "The same names are `helper`, a parameter `trainer`, a function `domain_of` or `interval`.",
        partial(renamed, MISLEADING),
    ),
    Change(
        "try/finally in functions",
        "All that a function does is in `try`, with `finally: timer.stop()`.",
        partial(edited, _tried_functions),
    ),
    Change(
        "try/finally around loops",
        "Each outermost loop is in `try`, with `finally: timer.stop()`.",
        partial(edited, _tried_loops),
    ),
    Change("if/else turned round", "`if not (a): y else: x` for `if a: x else: y`; `elif` too.", partial(edited, _turned)),
    Change("early return as else", "What stands behind an `if` that returns is its `else`.", partial(edited, _returned)),
    Change(
        "moved into a package",
        "The code of `m.py` is in a package `m_parts`, whose `__init__.py` hands it on; `m.py` imports it, and starts it.",
        _in_a_package,
    ),
    Change("unit tests beside", "`tests/test_x.py` calls each function and class with `MagicMock()`.", _tested),
    Change("in a subfolder", "All files stand two folders deeper.", _below),
)
