"""Shapes of the loop that is marked."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tests.metamorphic.moving import (
    CALLED,
    Piece,
    called,
    defined,
    piece,
    replaced,
    scope_of,
    to_helper,
    tuple_of,
    with_parameter,
)
from tests.metamorphic.naming import is_loose, loaded, names_of
from tests.metamorphic.program import Part, Program, Unfit, add_top, statements_of


def _loop(program: Program) -> tuple[Part, ast.For]:
    part = program.part("loop")
    loop = part.statements[0]
    if not isinstance(loop, ast.For) or loop.orelse or part.stop - part.start != 1:
        raise Unfit("the loop is no plain for")
    return part, loop


def _range_of(loop: ast.For) -> str | None:
    """``n`` of ``for name in range(n)``, as text."""
    call = loop.iter
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range" and len(call.args) == 1:
        is_plain = isinstance(loop.target, ast.Name) and not _makes(call.args[0])
        return ast.unparse(call.args[0]) if is_plain else None
    return None


def _counted(loop: ast.For) -> str:
    """The name that counts the rounds; the loop is made to have one."""
    if _range_of(loop) is not None:
        return ast.unparse(loop.target)
    if isinstance(loop.iter, ast.Call) and ast.unparse(loop.iter.func) == "enumerate" and isinstance(loop.target, ast.Tuple):
        if len(loop.iter.args) == 1 and not loop.iter.keywords:
            return ast.unparse(loop.target.elts[0])
        raise Unfit("it does not count from 0")
    loop.target = ast.Tuple([ast.Name("number", ast.Store()), loop.target], ast.Store())
    loop.iter = ast.Call(ast.Name("enumerate", ast.Load()), [loop.iter], [])
    return "number"


def guard(program: Program) -> None:
    part, loop = _loop(program)
    number = _counted(loop)
    with_parameter(part, "start", "0")
    test = statements_of(f"if {number} >= start:\n    pass")[0]
    assert isinstance(test, ast.If)
    test.body = loop.body
    loop.body = [test]


def way_out_at_head(way: str) -> Callable[[Program], None]:
    def make(program: Program) -> None:
        part, loop = _loop(program)
        number = _counted(loop)
        test = f"{number} < start" if way == "continue" else f"limit is not None and {number} >= limit"
        with_parameter(part, *(("start", "0") if way == "continue" else ("limit", "None")))
        loop.body[0:0] = statements_of(f"if {test}:\n    {way}")

    return make


def enumerated(program: Program) -> None:
    _, loop = _loop(program)
    if _range_of(loop) is not None or ast.unparse(loop.iter).startswith("enumerate("):
        raise Unfit("it counts already")
    _counted(loop)


def nested(program: Program) -> None:
    part, loop = _loop(program)
    if any(is_loose(each, (ast.Break,)) for each in loop.body):
        raise Unfit("a break would leave the inner loop only")
    outer = statements_of(f"for share in [{ast.unparse(loop.iter)}]:\n    pass")[0]
    assert isinstance(outer, ast.For)
    outer.iter = ast.List([loop.iter], ast.Load())
    loop.iter = ast.Name("share", ast.Load())
    outer.body = [loop]
    part.replace(outer)


def _makes(node: ast.expr) -> bool:
    """Whether something other than a length or a range is called, which would be done in each round."""
    return any(isinstance(each, ast.Call) and ast.unparse(each.func) not in ("len", "range") for each in ast.walk(node))


def _length(loop: ast.For) -> str:
    """How many items a loop takes, as text. Raises :class:`Unfit` for what has no length, or is made by a call."""
    taken = loop.iter
    if isinstance(taken, ast.Call) and isinstance(taken.func, ast.Name) and taken.func.id == "enumerate":
        taken = taken.args[0]
    if _makes(taken):
        raise Unfit("what it takes would be made in each round")
    return f"len({ast.unparse(taken)})"


def while_counter(program: Program) -> None:
    part, loop = _loop(program)
    count = _range_of(loop)
    if count is not None:
        name = ast.unparse(loop.target)
        if any(is_loose(each, (ast.Continue,)) for each in loop.body) or name in names_of(loop.body).writes:
            raise Unfit("a continue would leave the counter as it is")
        if name in loaded(*scope_of(part).body, but=[loop]):
            raise Unfit("the counter is read after the loop")
        new = statements_of(f"{name} = 0\nwhile {name} < {count}:\n    pass")
        body = [*loop.body, *statements_of(f"{name} += 1")]
    else:
        taken = ast.unparse(loop.iter)
        new = statements_of(f"stream = iter({taken})\ndone = 0\nwhile done < {_length(loop)}:\n    pass")
        body = [*statements_of(f"{ast.unparse(loop.target)} = next(stream)\ndone += 1"), *loop.body]
    last = new[-1]
    assert isinstance(last, ast.While)
    last.body = body
    part.replace(*new)


def while_true(program: Program) -> None:
    part, loop = _loop(program)
    count = _range_of(loop)
    target = ast.unparse(loop.target)
    if count is not None:
        if any(is_loose(each, (ast.Continue,)) for each in loop.body) or target in names_of(loop.body).writes:
            raise Unfit("a continue would leave the counter as it is")
        if target in loaded(*scope_of(part).body, but=[loop]):
            raise Unfit("the counter is read after the loop")
        new = statements_of(f"{target} = 0\nwhile True:\n    if {target} >= {count}:\n        break")
        body = [*loop.body, *statements_of(f"{target} += 1")]
    else:
        item = target if isinstance(loop.target, ast.Name) else "taken"
        head = f"stream = iter({ast.unparse(loop.iter)})"
        text = f"{head}\nwhile True:\n    {item} = next(stream, None)\n    if {item} is None:\n        break"
        new = statements_of(text if item == target else f"{text}\n    {target} = {item}")
        body = loop.body
    last = new[-1]
    assert isinstance(last, ast.While)
    last.body += body
    part.replace(*new)


def stop_iteration(program: Program) -> None:
    part, loop = _loop(program)
    target = ast.unparse(loop.target)
    tried = f"    try:\n        {target} = next(stream)\n    except StopIteration:\n        break"
    new = statements_of(f"stream = iter({ast.unparse(loop.iter)})\nwhile True:\n{tried}")
    last = new[-1]
    assert isinstance(last, ast.While)
    last.body += loop.body
    part.replace(*new)


def handed_out(program: Program) -> None:
    part, loop = _loop(program)
    loop.iter = ast.Call(ast.Name("each_of", ast.Load()), [loop.iter], [])
    add_top(part.module, "def each_of(items):\n    for item in items:\n        yield item\n", part.top)


def generator(program: Program) -> None:
    part, loop = _loop(program)
    if any(is_loose(each, (ast.Break, ast.Return, ast.Yield)) for each in loop.body):
        raise Unfit("a way out is in the loop")
    of = piece(part)
    if set(of.gives) - names_of([loop.target, *loop.body]).sure - set(of.needs) or (
        of.gives and any(is_loose(each, (ast.Continue,)) for each in loop.body)
    ):
        raise Unfit("a round may not bind what is read after the loop")
    loop.body.append(ast.Expr(ast.Yield(tuple_of(of.gives, ast.Load()) if of.gives else None)))
    function = defined("rounds", [loop], Piece(of.needs, [], of.returns))
    names = ", ".join(of.gives) or "_"
    replaced(part, statements_of(f"for {names} in rounds({', '.join(of.needs)}):\n    pass"), function)


def body_in_helper(program: Program) -> None:
    part, loop = _loop(program)
    body = Part(part.file, (*part.owners, loop), loop.body, 0, len(loop.body))
    if any(is_loose(each, (ast.Continue,)) for each in loop.body):
        loop.body[:] = [_Ended().visit(each) for each in loop.body]
        of = piece(body, allowed=(ast.Return,))
        if of.gives:
            raise Unfit("a round may not bind what is read elsewhere")
        replaced(body, called(CALLED["body"], of), defined(CALLED["body"], body.statements, of))
    else:
        to_helper(body, CALLED["body"])


class _Ended(ast.NodeTransformer):
    """Returns in the place of what goes on with the next round."""

    def visit_Continue(self, node: ast.Continue) -> ast.AST:
        return ast.copy_location(ast.Return(), node)

    def visit_For(self, node: ast.For) -> ast.AST:
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node


def in_else(program: Program) -> None:
    part, loop = _loop(program)
    if any(is_loose(each, (ast.Break,)) for each in loop.body):
        raise Unfit("a break would pass the else by")
    after = part.block[part.stop :]
    if isinstance(part.owners[-1], ast.Module) or not after:
        loop.orelse = [ast.Pass()]
    else:
        loop.orelse = after
        del part.block[part.stop :]
