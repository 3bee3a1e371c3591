"""Code that is moved into a function: what it needs and gives back, the function, the call, another file."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from tests.metamorphic.naming import (
    Renamed,
    arguments_of,
    bound_in,
    declared_global,
    imported_names,
    inside,
    is_loose,
    loaded,
    mentions,
    names_of,
)
from tests.metamorphic.program import MARKS, Function, Part, Program, Unfit, add_top, part_of, statements_of

_AWAY = (ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await)
CALLED = {"first": "first_part", "second": "second_part", "loop": "looped", "both": "both_parts", "body": "one_round"}
"""What the functions are called."""


class Piece(NamedTuple):
    """Code that may stand in a function: what it needs and gives back, and whether it ends in a return of its own."""

    needs: list[str]
    gives: list[str]
    returns: bool


def piece(part: Part, allowed: tuple[type[ast.AST], ...] = ()) -> Piece:
    """What some statements need and give back when they stand in a function. Raises :class:`Unfit` where they cannot.

    Ways out may be among the statements if they are ``allowed``.
    """
    statements = part.statements
    returns = isinstance(statements[-1], ast.Return)
    away = tuple(each for each in _AWAY if each not in allowed)
    if any(is_loose(each, away) for each in (statements[:-1] if returns else statements)):
        raise Unfit("a way out of a function or loop is in the statements")
    if mentions(statements, "super") or mentions(statements, "__class__"):
        raise Unfit("super() is in the statements")
    names = names_of(statements)
    around = visible(part)
    scope = scope_of(part)
    lent = [name for each in ast.walk(scope) if isinstance(each, ast.Nonlocal | ast.Global) for name in each.names]
    elsewhere = {*loaded(*ast.iter_child_nodes(scope), but=statements), *lent}
    again = any(isinstance(each, ast.For | ast.While) for each in part.owners)
    gives = [name for name in names.writes if name in elsewhere or (again and name in names.reads)]
    needs = [name for name in names.reads if name in around]
    for name in gives:
        if name not in names.sure and name not in needs:
            if name not in _bound_before(scope, statements[0]):
                raise Unfit(f"{name} may not be bound")
            needs.append(name)
    return Piece(needs, gives, returns)


def visible(part: Part) -> list[str]:
    """The names that a piece of code may take from around it, but for those that the whole file sees."""
    if part.functions:
        return [name for each in part.functions for name in bound_in(each)]
    module = part.module
    fixed = {name for each in module.body if isinstance(each, ast.Import | ast.ImportFrom) for name in imported_names(each)}
    fixed |= {each.name for each in module.body if isinstance(each, Function | ast.ClassDef)}
    return [name for name in bound_in(module) if name not in fixed]


def scope_of(part: Part) -> Function | ast.Module:
    """The innermost function that a part is in, or else the module."""
    return part.functions[-1] if part.functions else part.module


def _bound_before(scope: Function | ast.Module, statement: ast.stmt) -> set[str]:
    """The names that a scope binds before it comes to a statement, read from top to bottom."""
    found = set(arguments_of(scope)) if isinstance(scope, Function) else set()
    for node in inside(scope.body):
        if node is statement:
            break
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
    return found


def defined(
    name: str, statements: list[ast.stmt], of: Piece, *, own: Sequence[str] = (), params: Sequence[str] | None = None
) -> ast.FunctionDef:
    """A function of these statements. Names in ``own`` stay what they are; ``self`` as a parameter of another name otherwise."""
    to = {name: {"self": "owner", "cls": "kind"}.get(name, name) for name in of.needs if name not in own}
    body = [Renamed(to).visit(each) for each in statements]
    if of.gives:
        body.append(ast.Return(tuple_of(of.gives, ast.Load())))
    wanted = [to.get(each, each) for each in (of.needs if params is None else params)]
    return function_of(name, wanted, body)


def function_of(name: str, params: Sequence[str], body: list[ast.stmt]) -> ast.FunctionDef:
    made = statements_of(f"def {name}({', '.join(params)}):\n    pass")[0]
    assert isinstance(made, ast.FunctionDef)
    made.body = body
    return made


def called(function: str, of: Piece, args: Sequence[str] | None = None) -> list[ast.stmt]:
    """The statement that calls a function (any expression) and binds what it gives back."""
    call = f"{function}({', '.join(of.needs if args is None else args)})"
    if of.returns:
        return statements_of(f"return {call}")
    if of.gives:
        return statements_of(f"{', '.join(of.gives)} = {call}")
    return statements_of(call)


def tuple_of(names: Sequence[str], context: ast.expr_context) -> ast.expr:
    items: list[ast.expr] = [ast.Name(name, context) for name in names]
    return items[0] if len(items) == 1 else ast.Tuple(items, context)


def replaced(part: Part, new: Sequence[ast.stmt], *definitions: ast.stmt) -> None:
    """Put statements in the place of a part, and definitions at the top level before what it is in."""
    top = part.top if len(part.owners) > 1 else new[0]
    part.replace(*new)
    body = part.module.body
    at = next(number for number, each in enumerate(body) if each is top)
    body[at:at] = definitions


def to_helper(part: Part, name: str) -> None:
    of = piece(part)
    replaced(part, called(name, of), defined(name, part.statements, of))


def both(program: Program) -> Part:
    """The statements from the first part to the second, in the innermost block that both are in."""
    first, second = program.part("first"), program.part("second")
    return _span(first, second)


def _span(first: Part, second: Part) -> Part:
    common = [a for a, b in zip(first.owners, second.owners, strict=False) if a is b]
    owners = tuple(common)

    def at(part: Part, block: list[ast.stmt]) -> tuple[int, int] | None:
        if part.block is block:
            return part.start, part.stop
        below = [*part.owners, *part.statements]
        found = [number for number, each in enumerate(block) if any(each is other for other in below)]
        return (found[0], found[0] + 1) if found else None

    for owner in reversed(owners):
        for _, field in ast.iter_fields(owner):
            if isinstance(field, list) and field and isinstance(field[0], ast.stmt):
                one, two = at(first, field), at(second, field)
                if one is not None and two is not None:
                    depth = next(number for number, each in enumerate(owners) if each is owner)
                    return Part(first.file, owners[: depth + 1], field, min(one[0], two[0]), max(one[1], two[1]))
    raise Unfit("the two stand in different functions")


def in_one_function(part: Part) -> Part:
    if (
        not part.functions
        and isinstance(part.owners[-1], ast.Module)
        and any(isinstance(each, Function | ast.ClassDef) for each in part.statements)
    ):
        raise Unfit("the two stand in different functions")
    if isinstance(part.owners[-1], ast.ClassDef):
        raise Unfit("the two stand in different methods")
    return part


def move_out(program: Program, path: str, moved: list[ast.stmt]) -> None:
    """Make the file ``path`` of some definitions, with the imports and other definitions that they need, which move with them.

    Raises :class:`Unfit` if they need what needs them, or a global that functions bind anew.
    """
    main = program.files[program.main]
    needed: list[ast.stmt] = []
    todo = list(chain.from_iterable(loaded(each) for each in moved))
    own = {each.name for each in moved if isinstance(each, Function | ast.ClassDef)}
    imports: dict[str, None] = {}
    while todo:
        name = todo.pop()
        for each in main.body:
            if isinstance(each, ast.Import | ast.ImportFrom) and name in imported_names(each):
                imports[ast.unparse(_only(each, name))] = None
            elif name not in own and _binds(each, name) and not any(each is other for other in needed):
                if any(part is not None and part.top is each for part in (part_of("", main, kind) for kind in MARKS)):
                    raise Unfit(f"{name} would be imported both ways")
                if name in declared_global(main):
                    raise Unfit(f"{name} is a global that is bound anew")
                needed.append(each)
                todo += loaded(each)
    ordered = [each for each in main.body if any(each is other for other in needed)]
    main.body = [each for each in main.body if not any(each is other for other in needed)]
    names = [name for each in ordered for name in _bound_by(each)]
    program.files[path] = ast.Module(body=[*statements_of("\n".join(imports)), *ordered, *moved], type_ignores=[])
    wanted = [*(each.name for each in moved if isinstance(each, Function | ast.ClassDef)), *names]
    add_top(main, f"from {path[:-3].replace('/', '.')} import {', '.join(wanted)}")


def _only(statement: ast.Import | ast.ImportFrom, name: str) -> ast.stmt:
    """The import of one name that a statement imports."""
    alias = next(each for each in statement.names if (each.asname or each.name.split(".")[0]) == name)
    return (
        ast.Import([alias]) if isinstance(statement, ast.Import) else ast.ImportFrom(statement.module, [alias], statement.level)
    )


def _binds(statement: ast.stmt, name: str) -> bool:
    return name in _bound_by(statement)


def _bound_by(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return []
    return bound_in(ast.Module(body=[statement], type_ignores=[]))


class Fields(ast.NodeTransformer):
    """Attributes of an object in the place of names. Raises :class:`Unfit` where a name is not always the same variable."""

    def __init__(self, holder: str, names: Sequence[str]) -> None:
        self.holder, self.names = holder, set(names)

    def of(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        for node in chain.from_iterable(ast.walk(each) for each in statements):
            if isinstance(node, Function | ast.Lambda) and set(bound_in(node)) & self.names:
                raise Unfit("a function inside binds the same name")
            if isinstance(node, ast.comprehension) and any(mentions([node.target], name) for name in self.names):
                raise Unfit("a comprehension binds the same name")
            if isinstance(node, ast.NamedExpr) and node.target.id in self.names:
                raise Unfit("a name is bound by :=")
            if isinstance(node, ast.Nonlocal | ast.Global) and set(node.names) & self.names:
                raise Unfit("a name is declared nonlocal")
        return [self.visit(each) for each in statements]

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Attribute(ast.Name(self.holder, ast.Load()), node.id, node.ctx) if node.id in self.names else node


def with_parameter(part: Part, name: str, default: str) -> None:
    """Give the innermost function one more parameter with a default; where there is none, bind a name at the top level."""
    if part.functions:
        args = part.functions[-1].args
        more = function_of("f", [f"{name}={default}"], []).args
        if args.vararg or args.kwonlyargs or args.kwarg:
            args.kwonlyargs += more.args
            args.kw_defaults += more.defaults
        else:
            args.args += more.args
            args.defaults += more.defaults
    else:
        add_top(part.module, f"{name} = {default}", part.top)
