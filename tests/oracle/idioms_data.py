"""What each rank sees with its own eyes: losses, clocks, files, exceptions."""

from __future__ import annotations

from tests.oracle.idioms import idiom
from tests.oracle.idioms_guards import decided, inserted
from tests.oracle.idioms_loops import looped
from tests.oracle.maker import Maker, Scope
from tests.oracle.writing import Lines, indent


def loss(maker: Maker, scope: Scope) -> tuple[Lines, str]:
    """This rank's loss."""
    if scope.loss and maker.chance(0.8):
        return [], scope.loss
    scope.module.need("import torch")
    name, model = maker.name("loss"), maker.name()
    return [f"{model} = torch.nn.Linear(4, 1)", f"{name} = {model}(torch.ones(4))"], name


def damaged(maker: Maker, scope: Scope) -> tuple[Lines, str]:
    """A test on this rank's data, and what must stand before it."""
    kind = maker.rng.choice(("nan", "finite", "time", "time", "file", "file", "value"))
    if kind == "time":
        maker.mark("data-time")
        scope.module.need("import time")
        name = maker.name("start")
        return [f"{name} = time.time()"], f"time.time() - {name} > 60"
    if kind == "file":
        maker.mark("data-file")
        scope.module.need("import os")
        return [], f'os.path.exists("{maker.name()}.pt")'
    maker.mark("data-value")
    lines, name = loss(maker, scope)
    scope.module.need("import torch")
    if kind == "finite":
        return lines, f"not torch.isfinite({name})"
    if kind == "value":
        return lines, f"{name}.item() > 0.3"
    scope.module.need("import math")
    return lines, maker.pick(f"torch.isnan({name})", f"math.isnan({name}.item())", f"torch.isnan({name}).any()")


@idiom(weight=4)
def data_work(maker: Maker, scope: Scope) -> Lines:
    """Work that some ranks do, by their data."""
    lines, test = damaged(maker, scope)
    body = maker.work(scope)
    if maker.slip(0.35):
        body = inserted(maker, scope, body)
    return [*lines, f"if {test}:", *indent(body)]


@idiom(weight=4)
def data_exit(maker: Maker, scope: Scope) -> Lines:
    """A function or round that some ranks leave, by their data."""
    kind = maker.rng.choice((*(["break", "continue"] if scope.loop else []), "return"))

    def body(inner: Scope) -> Lines:
        lines, test = damaged(maker, inner)
        rest = inserted(maker, inner, maker.quiet(inner)) if maker.slip(0.4) else maker.work(inner)
        return [*lines, f"if {test}:", *indent([*maker.quiet(inner), "return"]), *rest]

    if kind == "return" or not maker.slip(0.4):
        maker.mark("early-return")
        function = maker.function(scope, body)
        return [*function.before, function.call]
    maker.mark(kind)
    lines, test = damaged(maker, scope)
    return [*lines, f"if {test}:", *indent([kind]), *maker.event(scope)]


@idiom(weight=5)
def data_made_equal(maker: Maker, scope: Scope) -> Lines:
    """All ranks learn whether one of them has bad data."""
    maker.mark("equalising-reduce")
    scope.module.need("import torch")
    dist, word = maker.dist(scope), maker.name()
    lines, test = damaged(maker, scope)
    if maker.chance(0.3):
        maker.mark("helper")
        name = maker.name()
        lines += [f"{name} = {maker.shared(scope, 'anybody', _anybody(maker))}({test})"]
        return [*lines, *decided(maker, scope, name)]
    lines += [f"{word} = torch.tensor([float(bool({test}))])"]
    if maker.chance(0.4):
        lines = [*lines[:-1], f"{word} = torch.zeros(1)", f"if {test}:", f"    {word}.fill_(1.0)"]
    lines += [] if maker.slip(0.3) else [f"{dist}.all_reduce({word}{maker.pick('', f', op={dist}.ReduceOp.MAX')})"]
    return [*lines, *decided(maker, scope, maker.pick(f"{word}.item() > 0", f"{word}.item()", f"{word} > 0"))]


def _anybody(maker: Maker):
    def define(scope: Scope) -> Lines:
        dist, word, parameter = maker.dist(scope), maker.name(), maker.name()
        if maker.chance(0.4):
            maker.mark("object-collective")
            return [
                f"def {maker.name('any', 'some')}({parameter}):",
                f"    {word} = [None] * {dist}.get_world_size()",
                f"    {dist}.all_gather_object({word}, bool({parameter}))",
                f"    return any({word})",
            ]
        scope.module.need("import torch")
        return [
            f"def {maker.name('any', 'some')}({parameter}):",
            f"    {word} = torch.tensor([float(bool({parameter}))])",
            f"    {dist}.all_reduce({word}, op={dist}.ReduceOp.MAX)",
            f"    return bool({word}.item())",
        ]

    return define


def risky(maker: Maker, scope: Scope) -> tuple[str, str]:
    """A call that fails for some data, and its error; most often it reads a file of this rank's own, else one of all ranks."""
    name = maker.name()
    kind = maker.rng.choice(("load", "image", "sound", "open"))
    ending = {"load": ".pt", "image": ".png", "sound": ".wav", "open": ".txt"}[kind]
    path = f'"{name}{ending}"'
    if maker.chance(0.75):
        maker.mark("own-file")
        rank = maker.rank(scope)
        path = f'"{name}@" + str({rank})' if '"' in rank or maker.chance(0.5) else f'f"{name}@{{{rank}}}{ending}"'
    if kind == "load":
        scope.module.need("import torch")
        return f"torch.load({path})", "OSError"
    if kind == "image":
        scope.module.need("from PIL import Image")
        return f"Image.open({path})", "OSError"
    if kind == "sound":
        scope.module.need("import soundfile")
        return f"soundfile.read({path})", "RuntimeError"
    return f"open({path})", "OSError"


@idiom(weight=5)
def caught(maker: Maker, scope: Scope) -> Lines:
    """An exception that only one rank may see."""
    maker.mark("try-except", "data-exception")
    call, error = risky(maker, scope)
    error = maker.pick(error, error, "Exception")
    name = maker.name()
    event = maker.event(scope)
    kind = maker.rng.choice(("quiet", "skip", "flag", "inside", "handler", "else"))
    attempt = ["try:", f"    {name} = {call}", f"except {error}:"]
    if kind == "quiet" or not maker.slip(0.5):
        safe = [*attempt, *indent([f"{name} = None", *maker.work(scope)])]
        if kind == "flag":
            maker.mark("equalising-reduce")
            scope.module.need("import torch")
            dist, flag = maker.dist(scope), maker.name()
            lines = [
                f"{flag} = torch.ones(1)",
                *safe,
                f"    {flag}.fill_(0.0)",
                f"{dist}.all_reduce({flag}, op={dist}.ReduceOp.MIN)",
            ]
            return [*lines, *decided(maker, scope, f"{flag}.item() > 0")]
        return [*safe, *event] if kind == "skip" else safe
    if kind == "inside":
        return ["try:", f"    {name} = {call}", *indent(event), f"except {error}:", *indent(maker.work(scope))]
    if kind == "handler":
        return [*attempt, *indent([f"{name} = None", *event])]
    if kind == "else":
        return [*attempt, *indent(maker.quiet(scope)), "else:", *indent(event)]
    if kind == "skip" and scope.loop:
        maker.mark("continue")
        return [*attempt, "    continue", *event]
    return [f"{name} = None", *attempt, *indent(maker.quiet(scope)), f"if {name} is not None:", *indent(event)]


@idiom(weight=3)
def caught_in_a_function(maker: Maker, scope: Scope) -> Lines:
    maker.mark("try-except", "data-exception", "early-return")

    def body(inner: Scope) -> Lines:
        call, error = risky(maker, inner)
        name = maker.name()
        rest = inserted(maker, inner, maker.quiet(inner)) if maker.slip(0.35) else maker.work(inner)
        return ["try:", f"    {name} = {call}", f"except {error}:", *indent([*maker.quiet(inner), "return"]), *rest]

    function = maker.function(scope, body)
    return [*function.before, function.call]


@idiom(weight=2, needs="round")
def tried_again(maker: Maker, scope: Scope) -> Lines:
    """A rank tries several times; a collective among the attempts is a mistake."""
    maker.mark("try-except", "data-exception", "for-loop", "break", "loop-else")
    call, error = risky(maker, scope)
    name, inner = maker.name(), looped(scope)
    attempt = [
        "try:",
        f"    {name} = {call}",
        *(indent(maker.event(inner)) if maker.slip(0.4) else []),
        "    break",
        f"except {error}:",
    ]
    lines = ["for _ in range(3):", *indent([*attempt, *indent(maker.quiet(inner))])]
    if maker.chance(0.5):
        lines += ["else:", *indent([f"{name} = None"])]
    return lines
