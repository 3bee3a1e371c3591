"""Functions that some ranks leave early; try, finally and with around collectives."""

from __future__ import annotations

from tests.oracle.idioms import idiom
from tests.oracle.idioms_guards import inserted
from tests.oracle.maker import Maker, Scope
from tests.oracle.writing import Lines, indent


def called(maker: Maker, scope: Scope, body, style: str = "") -> Lines:
    """Define a function around a body and call it here."""
    function = maker.function(scope, body, style)
    return [*function.before, function.call]


@idiom(weight=6)
def early_return(maker: Maker, scope: Scope) -> Lines:
    """Only some ranks do what stands at the end of a function."""
    maker.mark("early-return")

    def body(inner: Scope) -> Lines:
        test = maker.test(inner, maker.who(), maker.chance(0.3))
        leave, rest = maker.quiet(inner) if maker.chance(0.3) else [], maker.work(inner)
        if maker.chance(0.3):  # those who leave take part first
            operation = maker.operation()
            leave = [*leave, *maker.collective(inner, operation)]
            rest = [
                *rest,
                *maker.collective(inner, "all_reduce" if maker.slip(0.15) and operation != "all_reduce" else operation),
            ]
        elif maker.slip(0.45):
            rest = inserted(maker, inner, rest)
        before = maker.event(inner) if maker.chance(0.3) else []
        return [*before, f"if {test}:", *indent([*leave, maker.pick("return", "return None")]), *rest]

    return called(maker, scope, body)


@idiom(weight=3, needs="args")
def uniform_return(maker: Maker, scope: Scope) -> Lines:
    maker.mark("early-return")

    def body(inner: Scope) -> Lines:
        leave = maker.event(inner) if maker.chance(0.3) else []
        return [f"if {maker.uniform(inner)}:", *indent([*leave, "return"]), *maker.event(inner), *maker.work(inner)]

    return called(maker, scope, body)


@idiom(weight=2, needs="args")
def early_result(maker: Maker, scope: Scope) -> Lines:
    """A function returns from several places; what it returned decides."""
    maker.mark("early-return", "helper")
    name = maker.name()
    by_rank = maker.chance(0.5)

    def body(inner: Scope) -> Lines:
        test = maker.test(inner, maker.who()) if by_rank else maker.flag(inner)
        return [f"if {test}:", *indent([*maker.quiet(inner), "return True"]), *maker.quiet(inner), "return False"]

    function = maker.function(scope, body)
    act = maker.work(scope) if by_rank and not maker.slip(0.5) else maker.event(scope)
    return [*function.before, f"{name} = {function.call}", f"if {maker.pick('', 'not ')}{name}:", *indent(act)]


@idiom(weight=4)
def raised(maker: Maker, scope: Scope) -> Lines:
    """An error that some ranks raise and catch."""
    maker.mark("raise", "try-except")
    error = maker.pick("ValueError", "RuntimeError")
    name = maker.name()
    uniform = maker.chance(0.35)
    test = maker.uniform(scope) if uniform else maker.test(scope, maker.who())
    rest, handler, afterwards = maker.work(scope), maker.work(scope), maker.quiet(scope)
    if uniform or maker.slip(0.4):
        if maker.chance(0.6):
            rest = inserted(maker, scope, rest)
        else:
            handler = inserted(maker, scope, handler)
    if maker.chance(0.4):
        afterwards = maker.event(scope)
    throw = [f"if {test}:", f'    raise {error}("{name}")']
    return ["try:", *indent([*throw, *rest]), f"except {error}:", *indent(handler), *afterwards]


@idiom(weight=3)
def raised_in_a_function(maker: Maker, scope: Scope) -> Lines:
    maker.mark("raise", "try-except", "helper")
    error = maker.pick("ValueError", "RuntimeError")

    def body(inner: Scope) -> Lines:
        rest = inserted(maker, inner, maker.quiet(inner)) if maker.slip(0.3) else maker.quiet(inner)
        return [f"if {maker.test(inner, maker.who())}:", f'    raise {error}("no")', *rest]

    function = maker.function(scope, body)
    after = maker.event(scope) if maker.slip(0.25) else maker.quiet(scope)
    return [*function.before, "try:", *indent([function.call, *after]), f"except {error} as error:", *indent(["print(error)"])]


@idiom(weight=5)
def finally_(maker: Maker, scope: Scope) -> Lines:
    """What all ranks run on every way out."""
    maker.mark("finally", "early-return")
    style = maker.rng.choice(("return", "return", "fall", "loop"))

    def body(inner: Scope) -> Lines:
        last = maker.event(inner)
        if style == "fall":
            test = f"if {maker.test(inner, maker.who())}:"
            work = inserted(maker, inner, maker.quiet(inner)) if maker.slip(0.35) else maker.work(inner)
            return ["try:", *indent([test, *indent(work)]), "finally:", *indent(last)]
        test = maker.test(inner, maker.who())
        rest = inserted(maker, inner, maker.quiet(inner)) if maker.slip(0.35) else maker.work(inner)
        end = []
        if maker.slip(0.15):
            end = maker.event(inner)
        if style == "loop":
            maker.mark("for-loop", "continue")
            way = maker.pick("continue", "continue", "break") if end else "continue"
            turn = maker.name()
            inside = ["try:", *indent([f"if {test}:", *indent([*maker.quiet(inner), way]), *rest]), "finally:", *indent(last)]
            return [f"for {turn} in range(2):", *indent([*inside, *end])]
        inside = ["try:", *indent([f"if {test}:", *indent([*maker.quiet(inner), "return"]), *rest])]
        if maker.chance(0.3):
            maker.mark("try-except")
            inside += ["except ValueError:", *indent(maker.quiet(inner))]
        return [*inside, "finally:", *indent(last), *end]

    return called(maker, scope, body)


@idiom(weight=4)
def process_exit(maker: Maker, scope: Scope) -> Lines:
    """The process ends: on all ranks or (a mistake, where more follows) on some."""
    if not maker.slip(0.3):
        if scope.args and maker.chance(0.8):
            maker.mark("exit")
            scope.module.need("import sys")
            return [f"if {maker.flag(scope)} and {maker.flag(scope)}:", "    sys.exit(0)"]
        return maker.quiet(scope)
    maker.mark("exit")
    scope.module.need("import sys")
    return [f"if {maker.test(scope, maker.who())}:", *indent([*maker.quiet(scope), "sys.exit(0)"]), *maker.event(scope)]


# -- with ---------------------------------------------------------------------------------------------------------------


def _first_manager(maker: Maker, faulty: bool):
    """A context manager in which rank 0 goes first."""

    def define(scope: Scope) -> Lines:
        scope.module.need("from contextlib import contextmanager")
        dist = maker.dist(scope)
        who = "main" if maker.chance(0.7) else "local"
        early, late = f"if {maker.test(scope, who, False)}:", f"if {maker.test(scope, who)}:"
        if faulty:
            late = maker.rng.choice(
                [
                    f"if {maker.test(scope, 'even' if who == 'main' else 'low')}:",
                    f"if {maker.test(scope, who, False)}:",
                    "if False:",
                ]
            )
        end = [late, f"    {dist}.barrier()"]
        body = ["try:", "    yield", "finally:", *indent(end)] if maker.chance(0.5) else ["yield", *end]
        return [
            "@contextmanager",
            f"def {maker.name('first', 'main_first', 'ahead')}():",
            *indent([early, f"    {dist}.barrier()", *body]),
        ]

    return define


def _first_class(maker: Maker, faulty: bool):
    def define(scope: Scope) -> Lines:
        dist = maker.dist(scope)
        who = "main" if maker.chance(0.7) else "local"
        late = maker.test(scope, who, wanted=not faulty)
        return [
            f"class {maker.name().title()}:",
            "    def __enter__(self):",
            f"        if {maker.test(scope, who, False)}:",
            f"            {dist}.barrier()",
            "        return self",
            "",
            "    def __exit__(self, *_):",
            f"        if {late}:",
            f"            {dist}.barrier()",
        ]

    return define


def _plain_manager(maker: Maker):
    """A context manager around which all ranks meet, or that only looks at the clock."""

    def define(scope: Scope) -> Lines:
        scope.module.need("from contextlib import contextmanager")
        dist = maker.dist(scope)
        name = maker.name("timed", "section")
        if maker.chance(0.4):
            return ["@contextmanager", f"def {name}():", "    print('start')", "    yield", "    print('end')"]
        body = ["try:", "    yield", "finally:", f"    {dist}.barrier()"] if maker.chance(0.5) else ["yield", f"{dist}.barrier()"]
        return ["@contextmanager", f"def {name}():", *indent(body)]

    return define


@idiom(weight=5)
def one_goes_first(maker: Maker, scope: Scope) -> Lines:
    maker.mark("with", "split-barrier")
    faulty = maker.slip(0.3)
    make = _first_manager if maker.chance(0.65) else _first_class
    manager = maker.shared(scope, f"{make.__name__} {faulty}", make(maker, faulty))
    body = maker.work(scope)
    if maker.chance(0.3):
        body = [f"if {maker.test(scope, 'main')}:", *indent(body)]
    if maker.slip(0.15):
        body = inserted(maker, scope, body)
    return [f"with {manager}():", *indent(body)]


@idiom(weight=3)
def within(maker: Maker, scope: Scope) -> Lines:
    """A block inside of a context manager of the project."""
    maker.mark("with")
    manager = maker.shared(scope, f"manager{maker.rng.randrange(2)}", _plain_manager(maker))
    body = maker.work(scope) if maker.chance(0.4) else maker.event(scope)
    lines = [f"with {manager}():", *indent(body)]
    if maker.slip(0.3):
        return [f"if {maker.test(scope, maker.who())}:", *indent(lines)]
    return lines


@idiom(weight=2, needs="args")
def returned_within(maker: Maker, scope: Scope) -> Lines:
    """Ranks leave a function from inside of a context manager."""
    maker.mark("with", "early-return")

    def body(inner: Scope) -> Lines:
        manager = maker.shared(inner, "closing", _closing(maker))
        rest = inserted(maker, inner, maker.quiet(inner)) if maker.slip(0.3) else maker.work(inner)
        test = maker.test(inner, maker.who())
        end = maker.event(inner) if maker.slip(0.2) else []
        return [f"with {manager}():", *indent([f"if {test}:", "    return", *rest]), *end]

    return called(maker, scope, body)


def _closing(maker: Maker):
    def define(scope: Scope) -> Lines:
        dist = maker.dist(scope)
        name = maker.name("closing", "meeting")
        if maker.chance(0.5):
            scope.module.need("from contextlib import contextmanager")
            return ["@contextmanager", f"def {name}():", "    try:", "        yield", "    finally:", f"        {dist}.barrier()"]
        return [
            f"class {name.title()}:",
            "    def __enter__(self):",
            "        return self",
            "",
            "    def __exit__(self, *_):",
            f"        {dist}.barrier()",
        ]

    return define
