"""Ways in which the statements that matter can stand: one :class:`Shape` each, a transformation of a seed by its marks.

The program does the same in the same order. Names that a moved piece of code takes from around it become parameters, those that
it binds and others read are returned.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import NamedTuple

from tests.metamorphic import loops, objects
from tests.metamorphic.moving import (
    CALLED,
    Fields,
    Piece,
    both,
    called,
    defined,
    function_of,
    in_one_function,
    move_out,
    piece,
    replaced,
    to_helper,
    tuple_of,
    visible,
    with_parameter,
)
from tests.metamorphic.naming import Renamed, all_names, inside, is_loose, loaded, mentions, names_of
from tests.metamorphic.program import MARKS, Function, Part, Program, Unfit, add_top, mark, part_of, statements_of, without_values

_NOTED = """
from functools import wraps
def noted(function):
    @wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)
    return wrapper
"""
_OWNED = ("property", "staticmethod", "classmethod")


class Shape(NamedTuple):
    """One way: its name in the table, what it is in words, and the transformation, which changes the program it is given.

    ``brings`` are codes of what is true of the new program, though it was not of the old one.
    """

    name: str
    says: str
    make: Callable[[Program], None]
    brings: frozenset[str] = frozenset()


# ---- functions ----------------------------------------------------------------------------------------------------


def _helper(name: str) -> Callable[[Program], None]:
    return lambda program: to_helper(program.part(name), CALLED[name])


def _helpers(program: Program) -> None:
    program.part("first")
    to_helper(program.part("second"), CALLED["second"])
    to_helper(program.part("first"), CALLED["first"])


def _deep(program: Program) -> None:
    part = program.part("second")
    of = piece(part)
    inner = defined("second_inside", part.statements, of)
    params = [each.arg for each in inner.args.args]
    outer = function_of(
        CALLED["second"],
        params,
        statements_of(
            f"return second_inside({', '.join(params)})" if of.gives or of.returns else f"second_inside({', '.join(params)})"
        ),
    )
    replaced(part, called(CALLED["second"], of), inner, outer)


def _one_helper(program: Program) -> None:
    to_helper(in_one_function(both(program)), CALLED["both"])


def _second_elsewhere(program: Program) -> None:
    part = program.part("second")
    of = piece(part)
    function = defined(CALLED["second"], part.statements, of)
    part.replace(*called(CALLED["second"], of))
    mark(part.block[part.start], "second")
    move_out(program, "steps.py", [function])


def _insert_at_head(function: Function, *statements: ast.stmt) -> None:
    """Put statements at the head of a function, behind its text."""
    body = function.body
    has_text = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) and isinstance(body[0].value.value, str)
    body[int(has_text) : int(has_text)] = statements


def _callbacks(program: Program) -> None:
    part = program.part("second")
    of = piece(part)
    if of.returns:
        raise Unfit("it returns")
    function = defined(CALLED["second"], part.statements, of)
    callbacks = statements_of(f"callbacks = [{CALLED['second']}]")
    loop = statements_of("for callback in callbacks:\n    pass")[0]
    assert isinstance(loop, ast.For)
    loop.body = called("callback", of)
    replaced(part, [loop] if part.functions else [*callbacks, loop], function)
    if part.functions:
        _insert_at_head(part.functions[-1], *callbacks)


def _as_value(made: str, expression: str, imports: str = "") -> Callable[[Program], None]:
    """The second part as a function that is called through a value: a dispatch table, a partial."""

    def make(program: Program) -> None:
        part = program.part("second")
        of = piece(part)
        function = defined(CALLED["second"], part.statements, of)
        args = ", ".join(of.needs)
        bound = statements_of(made.format(name=CALLED["second"], args=f", {args}" if args else ""))
        replaced(part, [*bound, *called(expression, of, () if "{args}" in made else None)], function)
        if imports:
            add_top(part.module, imports)

    return make


def _closure(program: Program) -> None:
    second = program.part("second")
    if not second.functions:
        raise Unfit("it stands in no function")
    for name in ("second", "first"):
        part = part_of(program.main, program.files[program.main], name)
        if part is None or not part.functions or part.functions[-1] is not second.functions[-1]:
            continue
        if name == "first" and any(each in second.owners for each in part.statements):
            continue  # it holds the second, whose function would not see what the first one's binds
        of = piece(part)
        statements = part.statements
        changed = [each for each in names_of(statements).writes if each in of.needs]
        rest = Piece(of.needs, [each for each in of.gives if each not in changed], of.returns)
        body: list[ast.stmt] = statements_of(f"nonlocal {', '.join(changed)}") if changed else []
        function = function_of(CALLED[name], [], [*body, *statements])
        if rest.gives:
            function.body.append(ast.Return(tuple_of(rest.gives, ast.Load())))
        part.replace(*called(CALLED[name], rest, ()))
        _insert_at_head(part.functions[-1], function)


# ---- with and try -------------------------------------------------------------------------------------------------

_STAGE = "from contextlib import contextmanager\n@contextmanager\ndef stage():\n    yield\n"


def _together(program: Program) -> Part:
    """From the first part to the second if both stand in one block; the second otherwise."""
    second = program.part("second")
    first = part_of(program.main, program.files[program.main], "first")
    if first is not None and first.block is second.block:
        return second._replace(start=min(first.start, second.start), stop=max(first.stop, second.stop))
    return second


def _wrap(part: Part, text: str) -> ast.stmt:
    around = statements_of(text)[0]
    assert isinstance(around, ast.With | ast.Try | ast.For | ast.If)
    around.body = part.statements
    part.replace(around)
    return around


def _with(program: Program) -> None:
    part = _together(program)
    top = part.top if len(part.owners) > 1 else None
    around = _wrap(part, "with stage():\n    pass")
    add_top(part.module, _STAGE, top or around)


def _entered(program: Program) -> None:
    first, all_of = program.part("first"), in_one_function(both(program))
    if first.block is not all_of.block or first.start != all_of.start or first.stop >= all_of.stop:
        raise Unfit("the second does not stand behind the first")
    of = piece(first)
    function = defined("entered", first.statements, Piece(of.needs, [], of.returns))
    function.body.append(ast.Expr(ast.Yield(tuple_of(of.gives, ast.Load()) if of.gives else None)))
    function.decorator_list = [ast.Name("contextmanager", ast.Load())]
    names = f" as {of.gives[0] if len(of.gives) == 1 else '(' + ', '.join(of.gives) + ')'}" if of.gives else ""
    around = statements_of(f"with entered({', '.join(of.needs)}){names}:\n    pass")[0]
    assert isinstance(around, ast.With)
    around.body = all_of.block[first.stop : all_of.stop]
    replaced(all_of, [around], function)
    add_top(first.module, "from contextlib import contextmanager")


def _exit_stack(program: Program) -> None:
    part = _together(program)
    second = program.part("second")
    try:
        of = piece(second)
    except Unfit:
        of = Piece([], [], returns=True)
    if of.gives or of.returns or second.stop != part.stop:
        # What it binds is used, or it stands before the first: no callback, but in the block of a stack.
        around = statements_of("with ExitStack() as stack:\n    stack.enter_context(stage())")[0]
        assert isinstance(around, ast.With)
        around.body += part.statements
        replaced(part, [around])
        add_top(part.module, _STAGE, part.top)
    else:
        function = defined(CALLED["second"], second.statements, of)
        second.replace(*statements_of(f"stack.callback({', '.join([CALLED['second'], *of.needs])})"))
        part = part._replace(stop=second.start + 1)
        around = statements_of("with ExitStack() as stack:\n    pass")[0]
        assert isinstance(around, ast.With)
        around.body = part.statements
        replaced(part, [around], function)
    add_top(part.module, "from contextlib import ExitStack")


def _finally(program: Program) -> None:
    part = _together(program)
    second = program.part("second")
    start = part.start if part.start < second.start else second.start - 1
    before, last = second.block[max(start, 0) : second.start], second.statements
    fits = (
        before and second.stop == part.stop and not isinstance(before[0], Function | ast.ClassDef | ast.Import | ast.ImportFrom)
    )
    if not fits or any(is_loose(each, (ast.Return, ast.Break, ast.Continue)) for each in [*before, *last]):
        second.replace(ast.Try(body=last, handlers=[], orelse=[], finalbody=[ast.Pass()]))
    else:
        second.block[start : second.stop] = [ast.Try(body=before, handlers=[], orelse=[], finalbody=last)]


def _except(program: Program) -> None:
    _wrap(_together(program), "try:\n    pass\nexcept KeyError:\n    raise")


# ---- around all ---------------------------------------------------------------------------------------------------


def _decorated(program: Program) -> None:
    part = program.part("second")
    if not part.functions:
        raise Unfit("it stands in no function")
    function = part.functions[0]
    if any(ast.unparse(each) in _OWNED or ast.unparse(each).endswith(".setter") for each in function.decorator_list):
        raise Unfit("it is no plain function")
    function.decorator_list.insert(0, ast.Name("noted", ast.Load()))
    add_top(part.module, _NOTED, part.top)


def _match(program: Program) -> None:
    part = program.part("second")
    new = statements_of("match mode:\n    case 'train':\n        pass\n    case _:\n        raise ValueError(mode)")[0]
    assert isinstance(new, ast.Match)
    new.cases[0].body = part.statements
    top = part.top if len(part.owners) > 1 else new
    part.replace(new)
    if part.functions:
        with_parameter(part, "mode", "'train'")
    else:
        add_top(part.module, "mode = 'train'", top)


def _both_arms(program: Program) -> None:
    part = program.part("second")
    new = statements_of("if verbose:\n    pass\nelse:\n    pass")[0]
    assert isinstance(new, ast.If)
    new.body = part.statements
    new.orelse = statements_of("\n".join(ast.unparse(each) for each in _without(part.statements)))
    top = part.top if len(part.owners) > 1 else new
    part.replace(new)
    if part.functions:
        with_parameter(part, "verbose", "False")
    else:
        add_top(part.module, "verbose = False", top)


def _without(statements: Iterable[ast.stmt]) -> list[ast.stmt]:
    return without_values(ast.Module(body=list(statements), type_ignores=[])).body


def _rest(program: Program) -> tuple[Part, ast.FunctionDef]:
    """All from the first marked statement to the end of the function that the second part is in."""
    module = program.files[program.main]
    second = program.part("second")
    if not second.functions or not isinstance(second.functions[0], ast.FunctionDef):
        raise Unfit("it stands in no function")
    function = second.functions[0]
    parts = [
        found for name in MARKS if (found := part_of(program.main, module, name)) is not None and function in found.functions
    ]
    starts = [next(number for number, each in enumerate(function.body) if _is_in(part, each)) for part in parts]
    owners = parts[0].owners[: parts[0].owners.index(function) + 1]
    return Part(program.main, owners, function.body, min(starts), len(function.body)), function


def _is_in(part: Part, statement: ast.stmt) -> bool:
    return any(each is statement for each in [*part.owners, *part.statements])


def _split(part: Part) -> tuple[list[str], bool]:
    """The names that the rest of a function needs, and whether it returns something. Raises :class:`Unfit` if it yields."""
    if any(isinstance(each, ast.Yield | ast.YieldFrom) for each in inside(part.statements)):
        raise Unfit("it yields")
    if mentions(part.statements, "super"):
        raise Unfit("super() is in the statements")
    own = visible(part)
    needs = [name for name in names_of(part.statements).reads if name in own]
    return needs, any(isinstance(each, ast.Return) and each.value is not None for each in inside(part.statements))


def _whole(program: Program) -> None:
    part, _ = _rest(program)
    needs, gives = _split(part)
    is_method = "self" in needs and isinstance(part.owners[-2], ast.ClassDef)
    fields = [name for name in needs if not (is_method and name == "self")]
    params = [*(["owner"] if is_method else []), *(["things"] if fields else [])]
    args = [*(["self"] if is_method else []), *([f"Things({', '.join(fields)})"] if fields else [])]
    body = Fields("things", fields).of(part.statements)
    work = function_of("work", params, [Renamed({"self": "owner"}).visit(each) if is_method else each for each in body])
    call = f"work({', '.join(args)})"
    part.replace(*statements_of(f"return {call}" if gives else call))
    lines = [
        f"class Things:\n    def __init__(self, {', '.join(fields)}):",
        *(f"        self.{name} = {name}" for name in fields),
    ]
    top = part.owners[1]
    assert isinstance(top, ast.stmt)
    everything = part.module.body
    at = next(number for number, each in enumerate(everything) if each is top)
    everything[at:at] = [*(statements_of("\n".join(lines)) if fields else []), work]


def _main(program: Program) -> None:
    part, function = _rest(program)
    module = part.module
    top = part.owners[1]
    if isinstance(top, ast.ClassDef):
        _main_of_class(module, top, function)
        return
    args = function.args
    if args.vararg or args.kwarg or args.kwonlyargs or args.posonlyargs:
        raise Unfit("its parameters are not plain")
    required = [each.arg for each in args.args[: len(args.args) - len(args.defaults)]]
    optional = {each.arg: value for each, value in zip(args.args[len(required) :], args.defaults, strict=True)}
    is_called = any(function.name in loaded(each) for each in module.body if each is not function)
    made = [f"{name} = build('{name}')" for name in required]
    lines: list[ast.stmt] = [*statements_of("\n".join(made))]
    if function.decorator_list or is_called or not part.start:
        wanted = required
        lines += statements_of(f"{function.name}({', '.join(wanted)})")
    else:
        needs, _ = _split(part)
        if any(is_loose(each, (ast.Return,)) for each in part.block[: part.start]):
            raise Unfit("what stands before returns")
        lines += [ast.Assign([ast.Name(name, ast.Store())], value) for name, value in optional.items()]
        lines += part.block[: part.start]
        lines += statements_of(f"{function.name}({', '.join(needs)})")
        function.body = part.statements
        function.args = function_of("f", needs, []).args
    _started(module, lines, needed=bool(required))


def _main_of_class(module: ast.Module, holder: ast.ClassDef, method: ast.FunctionDef) -> None:
    if method.decorator_list or method.name == "__init__" or not method.args.args:
        raise Unfit("it is no plain method")
    start = next((each for each in holder.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"), None)
    lines: list[ast.stmt] = []
    calls = []
    for each in (start, method):
        required = [] if each is None else [arg.arg for arg in each.args.args[1 : len(each.args.args) - len(each.args.defaults)]]
        lines += statements_of("\n".join(f"{name} = build('{name}')" for name in required))
        calls.append(", ".join(required))
    lines += statements_of(f"work = {holder.name}({calls[0]})\nwork.{method.name}({calls[1]})")
    _started(module, lines, needed=len(lines) > 2)


def _started(module: ast.Module, lines: list[ast.stmt], *, needed: bool) -> None:
    if any(isinstance(each, Function) and each.name == "main" for each in module.body):
        raise Unfit("there is a main already")
    module.body.append(function_of("main", [], lines))
    module.body += statements_of("if __name__ == '__main__':\n    main()")
    if needed:
        add_top(module, "from elsewhere import build")


SHAPES: tuple[Shape, ...] = (
    Shape("helper for the first", "the first part in a function", _helper("first")),
    Shape("helper for the second", "the second part in a function", _helper("second")),
    Shape("helpers for both", "each part in a function of its own", _helpers),
    Shape("one helper for both", "both parts, and what is between, in one function", _one_helper),
    Shape("helper of a helper", "the second part two functions deep", _deep),
    Shape("helper elsewhere", "the second part in a function of another file", _second_elsewhere),
    Shape("methods", "the parts in methods of the object, which holds the arguments", objects.method),
    Shape("methods elsewhere", "the parts in methods of a base class in another file", objects.base_elsewhere),
    Shape("template method", "the parts in hooks that a base class's method calls", objects.template),
    Shape("callback list", "the second part in a function in a list, all of which are called", _callbacks),
    Shape(
        "dispatch table",
        "the second part in a function that is taken from a dict",
        _as_value("table = {{'second': {name}}}", "table['second']"),
    ),
    Shape(
        "bound partial",
        "the second part in a functools.partial",
        _as_value("bound = partial({name}{args})", "bound", "from functools import partial"),
    ),
    Shape("functions inside", "the parts in functions inside the function", _closure),
    Shape("with", "the parts in a with of a context manager of the project that does nothing", _with),
    Shape("on entry", "the first part in what runs as a with is entered, the second in the with", _entered),
    Shape("ExitStack", "the second part a callback of a contextlib.ExitStack", _exit_stack),
    Shape("try/finally", "the second part in a finally", _finally),
    Shape("try/except", "the parts in a try that hides nothing", _except),
    Shape("guard", "the body of the loop in an if that lets all rounds pass", loops.guard),
    Shape("early continue", "a continue at the head of the loop, for no round", loops.way_out_at_head("continue")),
    Shape("break at the head", "a break at the head of the loop, for no round", loops.way_out_at_head("break")),
    Shape("counted loop", "the loop counts its rounds", loops.enumerated),
    Shape("nested loop", "the loop in another one, over shares of the items", loops.nested),
    Shape("while with a counter", "a while that counts", loops.while_counter),
    Shape("while True with break", "a while True with a break when there is no more", loops.while_true),
    Shape("next with StopIteration", "a while True with next in a try", loops.stop_iteration),
    Shape("generator of items", "the loop takes its items from a generator of the project", loops.handed_out),
    Shape("generator of rounds", "the loop in a generator that yields after each round (an epoch, a step)", loops.generator),
    Shape("body in a helper", "the body of the loop in a function", loops.body_in_helper),
    Shape("loop in a helper", "the loop in a function", _helper("loop")),
    Shape("loop else", "what follows the loop in its else", loops.in_else),
    Shape("decorator", "the function with a decorator of the project that only calls it", _decorated),
    Shape("case", "the second part in a case of a match", _match),
    Shape("both arms", "the second part in both arms of an if", _both_arms),
    # What is started is a script, which seeds nothing (TL901), and leaves the process group open (TL124).
    Shape("main()", "started from main, which makes all and passes it", _main, frozenset({"TL901", "TL124"})),
    Shape("handed whole", "the rest of the function in another, which is handed one object with all in it", _whole),
)
"""All of them, in the order of the table's columns."""


_NAMES = """
first_part second_part second_inside looped both_parts one_round Work WorkBase WorkTemplate work_through callbacks callback
table bound stage entered stack start limit number share stream done taken each_of rounds noted mode verbose things Things
work owner kind main build
"""
RESERVED = frozenset(_NAMES.split())
"""The names that shapes bring: no seed may have them."""


def shaped(program: Program, shape: Shape) -> Program:
    """The program in a shape; raises :class:`Unfit`, and ValueError if a name that shapes bring is in the program already."""
    new = program.copy()
    taken = RESERVED & {name for tree in new.files.values() for name in all_names(tree)}
    if taken:
        raise ValueError(f"{sorted(taken)} is in the program already")
    without_values(new.files[new.main])
    shape.make(new)
    return new
