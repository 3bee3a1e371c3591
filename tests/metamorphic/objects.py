"""Shapes in which the parts are methods: a class is made of a function that is in none."""

from __future__ import annotations

import ast
from typing import NamedTuple

from tests.metamorphic.moving import CALLED, Fields, Piece, called, defined, function_of, move_out, piece
from tests.metamorphic.naming import arguments_of, imported_names, inside, loaded, mentions
from tests.metamorphic.program import Program, Unfit, mark, part_of, statements_of


class Home(NamedTuple):
    """The class that a statement is in, the method of its, and whether both were made of a function."""

    holder: ast.ClassDef
    method: ast.FunctionDef
    made: bool


def _at_home(program: Program, name: str) -> Home:
    """The class and method of a marked statement; what is a function becomes one whose objects hold the arguments."""
    part = program.part(name)
    top = part.top
    if isinstance(top, ast.ClassDef):
        method = next((each for each in part.functions if isinstance(each, ast.FunctionDef)), None)
        if (
            method is None
            or not any(each is method for each in top.body)
            or not method.args.args
            or method.args.args[0].arg != "self"
        ):
            raise Unfit("it stands in no method")
        return Home(top, method, made=False)
    if not isinstance(top, ast.FunctionDef):
        raise Unfit("it stands in no function")
    return _as_class(part.module, top)


def _as_class(module: ast.Module, function: ast.FunctionDef) -> Home:
    """Make a class of a function at the top level, which then makes an object of it and runs it."""
    params = arguments_of(function)
    run = function_of("work_through", ["self"], Fields("self", params).of(function.body))
    sets = [f"    self.{name} = {name}" for name in params] or ["    pass"]
    lines = "\n".join([f"def __init__({', '.join(['self', *params])}):", *sets])
    holder = statements_of("class Work:\n    pass")[0]
    assert isinstance(holder, ast.ClassDef)
    holder.body = [*statements_of(lines), run]
    arguments = f"Work({', '.join(params)}).work_through()"
    produces = any(isinstance(each, ast.Yield | ast.YieldFrom) for each in inside(function.body))
    gives = produces or any(isinstance(each, ast.Return) and each.value is not None for each in inside(function.body))
    function.body = statements_of(f"return {arguments}" if gives else arguments)
    at = next(number for number, each in enumerate(module.body) if each is function)
    module.body.insert(at, holder)
    return Home(holder, run, made=True)


def _to_method(program: Program, name: str) -> ast.FunctionDef:
    """Replace marked statements in a method by a call of another method of the object, which is returned."""
    part = program.part(name)
    of = piece(part)
    rest = Piece([each for each in of.needs if each != "self"], of.gives, of.returns)
    method = defined(CALLED[name], part.statements, rest, own=("self",), params=["self", *rest.needs])
    part.replace(*(mark(each, name) for each in called(f"self.{CALLED[name]}", rest)))
    return method


def _methods(program: Program) -> tuple[Home, list[ast.FunctionDef]]:
    """The class of the second part, and the methods that the marked statements in the same method have become."""
    home = _at_home(program, "second")
    made = [_to_method(program, "second")]
    first = part_of(program.main, program.files[program.main], "first")
    if first is not None and first.top is home.holder and any(each is home.method for each in first.functions):
        made.insert(0, _to_method(program, "first"))
    return home, made


def method(program: Program) -> None:
    home, made = _methods(program)
    home.holder.body += made


def base_elsewhere(program: Program) -> None:
    home, made = _methods(program)
    base = statements_of(f"class {home.holder.name}Base:\n    pass")[0]
    assert isinstance(base, ast.ClassDef)
    base.body = list(made)
    base.bases = _library_bases(program, home.holder)
    home.holder.bases = [each for each in home.holder.bases if not any(each is other for other in base.bases)]
    home.holder.bases.insert(0, ast.Name(base.name, ast.Load()))
    move_out(program, "base.py", [base])


def _library_bases(program: Program, holder: ast.ClassDef) -> list[ast.expr]:
    """The base classes that are imported: the new base class has them, so that it is what the class was."""
    main = program.files[program.main]
    imports = {name for each in main.body if isinstance(each, ast.Import | ast.ImportFrom) for name in imported_names(each)}
    return [each for each in holder.bases if set(loaded(each)) <= imports]


def template(program: Program) -> None:
    home, made = _methods(program)
    holder = home.holder
    if mentions([home.method], "super") or mentions([home.method], holder.name):
        raise Unfit("the method names its class or its base class")
    base = statements_of(f"class {holder.name}Template:\n    pass")[0]
    assert isinstance(base, ast.ClassDef)
    hooks = [
        function_of(each.name, [arg.arg for arg in each.args.args], statements_of("raise NotImplementedError")) for each in made
    ]
    moved: list[ast.stmt] = [home.method]
    if home.made:
        moved = [each for each in holder.body if isinstance(each, ast.FunctionDef)]
    base.body = [*moved, *hooks]
    base.bases = holder.bases
    holder.bases = [ast.Name(base.name, ast.Load())]
    holder.body = [*(each for each in holder.body if not any(each is other for other in moved)), *made]
    body = program.files[program.main].body
    body.insert(next(number for number, each in enumerate(body) if each is holder), base)
