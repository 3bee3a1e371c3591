"""Functions in all their forms: with defaults, handed over, decorated, recursive."""

from __future__ import annotations

from tests.oracle.idioms import idiom
from tests.oracle.idioms_exits import called
from tests.oracle.idioms_guards import inserted
from tests.oracle.maker import Maker, Scope
from tests.oracle.writing import Lines, indent


@idiom(weight=6)
def helper(maker: Maker, scope: Scope) -> Lines:
    """Something in a function of its own."""
    return called(maker, scope, lambda inner: maker.block(inner, maker.rng.choice((1, 2, 2))))


@idiom(weight=2)
def guarded_helper(maker: Maker, scope: Scope) -> Lines:
    """A function that only some ranks call."""
    slipped = maker.slip(0.4)

    def body(inner: Scope) -> Lines:
        return inserted(maker, inner, maker.quiet(inner)) if slipped else maker.work(inner)

    lines = called(maker, scope, body)
    return [*lines[:-1], f"if {maker.test(scope, maker.who())}:", f"    {lines[-1]}"]


@idiom(weight=5)
def default_argument(maker: Maker, scope: Scope) -> Lines:
    """A parameter says whether a function communicates."""
    maker.mark("default-argument", "helper")
    home = maker.project.elsewhere(scope.module)
    name, switch = maker.name("save", "finish"), maker.name("with")
    inner = Scope(home, args="")
    default = maker.chance(0.5)
    positive = maker.chance(0.7)
    test = switch if positive else f"not {switch}"
    home.definitions.append(
        [
            f"def {name}({switch}={default}):",
            *indent([*maker.quiet(inner), f"if {test}:", *indent(maker.event(inner)), *maker.quiet(inner)]),
        ]
    )
    reference = maker.project.reference(scope.module, home, name)
    if home is not scope.module:
        maker.mark("files")
    talking, silent = (positive, not positive)

    def call(value: bool) -> str:
        return (
            f"{reference}()"
            if value == default and maker.chance(0.8)
            else f"{reference}({maker.pick(f'{switch}={value}', str(value))})"
        )

    kind = maker.rng.choice(("all", "some", "argument"))
    if kind == "some" or maker.slip(0.35):
        if maker.slip(0.4):
            if maker.chance(0.4):
                return [f"{reference}({switch}={maker.test(scope, maker.who())})"]
            return [f"if {maker.test(scope, maker.who())}:", f"    {call(talking)}"]
        return [call(talking), f"if {maker.test(scope, maker.who())}:", f"    {call(silent)}"]
    if kind == "argument" and scope.args:
        return [f"{reference}({switch}={maker.flag(scope)})"]
    return [call(talking), call(silent)] if maker.chance(0.5) else [call(talking)]


def _on_main(maker: Maker):
    """A function that calls another one on rank 0."""

    def define(scope: Scope) -> Lines:
        name, given = maker.name("on_main", "once"), maker.pick("function", "action", maker.name())
        if maker.chance(0.3):
            return [
                f"def {name}({given}, *args):",
                f"    if {maker.test(scope, 'main', False)}:",
                "        return None",
                f"    return {given}(*args)",
            ]
        return [f"def {name}({given}, *args):", f"    if {maker.test(scope, 'main')}:", f"        {given}(*args)"]

    return define


def _then_meet(maker: Maker):
    """A function that calls another one and lets all ranks meet."""

    def define(scope: Scope) -> Lines:
        name, given = maker.name("run", "then"), maker.pick("function", "action", maker.name())
        first = [f"if {maker.test(scope, 'main')}:", f"    {given}()"] if maker.chance(0.6) else [f"{given}()"]
        return [f"def {name}({given}):", *indent([*first, f"{maker.dist(scope)}.barrier()"])]

    return define


@idiom(weight=5)
def handed_over(maker: Maker, scope: Scope) -> Lines:
    """A function is passed to another one that calls it, on rank 0."""
    maker.mark("callable-argument", "helper")
    slipped = maker.slip(0.4)
    runner = maker.shared(scope, "on_main", _on_main(maker))
    if maker.chance(0.25):
        dist = maker.dist(scope)
        what = f"{dist}.barrier" if slipped else "print"
        return [f"{runner}({maker.pick(what, f'lambda: {what}()')})"]

    def body(inner: Scope) -> Lines:
        return inserted(maker, inner, maker.quiet(inner)) if slipped else maker.work(inner)

    name = maker.name("job", "task")
    if maker.chance(0.5):
        maker.mark("nested-function")
        inner = scope.inner(returns=True, loop=False, calls=scope.calls + 1)
        return [f"def {name}():", *indent(body(inner)), "", f"{runner}({name})"]
    scope.module.definitions.append([f"def {name}():", *indent(body(Scope(scope.module, args="")))])
    return [f"{runner}({name})"]


@idiom(weight=2)
def run_then_meet(maker: Maker, scope: Scope) -> Lines:
    maker.mark("callable-argument", "helper")
    runner = maker.shared(scope, "then_meet", _then_meet(maker))
    name = maker.name("job", "task")
    scope.module.definitions.append([f"def {name}():", *indent(maker.work(Scope(scope.module, args="")))])
    lines = [f"{runner}({name})"]
    if maker.slip(0.3):
        return [f"if {maker.test(scope, maker.who())}:", *indent(lines)]
    return lines


def _decorator(maker: Maker, kind: str):
    """A decorator whose function runs on rank 0 only, on all ranks, or on all ranks that then meet."""

    def define(scope: Scope) -> Lines:
        name, function = (
            maker.name("only", "main_only") if kind == "main" else maker.name("timed", "traced"),
            maker.pick("function", "fn", maker.name()),
        )
        scope.module.need("import functools")
        if kind == "main":
            run = [f"if {maker.test(scope, 'main')}:", f"    return {function}(*args, **kwargs)", "return None"]
            if maker.chance(0.4):
                run = [f"if {maker.test(scope, 'main', False)}:", "    return None", f"return {function}(*args, **kwargs)"]
        elif kind == "all":
            run = ["print('start')", f"return {function}(*args, **kwargs)"]
        else:
            result = maker.name()
            run = [f"{result} = {function}(*args, **kwargs)", f"{maker.dist(scope)}.barrier()", f"return {result}"]
        wraps = [f"@functools.wraps({function})"] if maker.chance(0.6) else []
        return [
            f"def {name}({function}):",
            *indent([*wraps, "def wrapper(*args, **kwargs):", *indent(run), "", "return wrapper"]),
        ]

    return define


@idiom(weight=6)
def decorated(maker: Maker, scope: Scope) -> Lines:
    maker.mark("decorator", "helper")
    kind = maker.rng.choices(("main", "all", "meet"), (4, 2, 2))[0]
    decorator = maker.shared(scope, f"decorator {kind}", _decorator(maker, kind))
    event = kind == "all" or (kind == "main" and maker.slip(0.45)) or (kind == "meet" and maker.chance(0.5))

    name = maker.name("report", "save", "log")
    method = scope.owner is not None and maker.chance(0.6)
    inner = (
        scope.inner(returns=True, loop=False, calls=scope.calls + 1, loss="", counter="")
        if method
        else Scope(scope.module, args="")
    )
    body = inserted(maker, inner, maker.quiet(inner)) if event else maker.work(inner)
    if method and scope.owner is not None:
        maker.mark("method")
        scope.owner.methods.append([f"@{decorator}", f"def {name}(self):", *indent(body)])
        lines = [f"self.{name}()"]
    else:
        scope.module.definitions.append([f"@{decorator}", f"def {name}():", *indent(body)])
        lines = [f"{name}()"]
    if kind != "main" and maker.slip(0.25):
        return [f"if {maker.test(scope, maker.who())}:", *indent(lines)]
    return lines


@idiom(weight=5, needs="args")
def recursion(maker: Maker, scope: Scope) -> Lines:
    """A function that calls itself a few times."""
    maker.mark("recursion", "helper", "early-return")
    home = maker.project.elsewhere(scope.module)
    name, depth = maker.name("walk", "halve"), maker.name("depth")
    inner = Scope(home, args="", returns=True)
    talks = maker.chance(0.6)
    deep = maker.rng.choice(("2", "3", maker.number(scope)))
    by_rank = maker.chance(0.3)
    if by_rank:
        talks = maker.slip(0.5)
        deep = maker.pick(f"{maker.rank(scope)}", f"{maker.rank(scope)} + 1")
    body = maker.event(inner) if talks else maker.work(inner)
    if talks and maker.slip(0.2):
        body = [f"if {maker.test(inner, maker.who())}:", *indent(body)]
    home.definitions.append(
        [f"def {name}({depth}):", *indent([f"if {depth} <= 0:", "    return", *body, f"{name}({depth} - 1)"])]
    )
    if home is not scope.module:
        maker.mark("files")
    lines = [f"{maker.project.reference(scope.module, home, name)}({deep})"]
    if talks and maker.slip(0.25):
        return [f"if {maker.test(scope, maker.who())}:", *indent(lines)]
    return lines
