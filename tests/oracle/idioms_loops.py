"""Loops: as long on every rank, or not; left early, or not; ranks taking turns."""

from __future__ import annotations

from tests.oracle.idioms import idiom
from tests.oracle.idioms_guards import inserted
from tests.oracle.maker import Maker, Scope
from tests.oracle.writing import Lines, indent


def looped(scope: Scope, **changes: object) -> Scope:
    """The body of a loop."""
    return scope.inner(loop=True, rounds=scope.rounds + 1, **changes)


@idiom(weight=5, needs="round args")
def epochs(maker: Maker, scope: Scope) -> Lines:
    maker.mark("for-loop")
    name = maker.pick("epoch", "step", maker.name())
    body = maker.block(looped(scope, counter=name), maker.rng.choice((2, 2, 3)))
    return [f"for {name} in range({maker.number(scope)}):", *indent(body)]


@idiom(weight=4, needs="round")
def batches(maker: Maker, scope: Scope) -> Lines:
    """The loop of every training script."""
    maker.mark("for-loop")
    model, loader, batch, loss = (
        maker.name("model"),
        maker.name("loader"),
        maker.pick("batch", maker.name()),
        maker.pick("loss", maker.name()),
    )
    scope.module.need("import torch")
    scope.module.need("from torch.utils.data import DataLoader")
    body = maker.block(looped(scope, loss=loss), maker.rng.choice((1, 2)))
    return [
        f"{model} = torch.nn.Linear(4, 1)",
        f"{loader} = DataLoader(list(range(8)), batch_size=4)",
        f"for {batch} in {loader}:",
        f"    {loss} = {model}({batch})",
        f"    {loss}.backward()",
        *indent(body),
    ]


@idiom(weight=4, needs="round args")
def while_loop(maker: Maker, scope: Scope) -> Lines:
    maker.mark("while-loop")
    name = maker.name()
    body = maker.block(looped(scope, counter=name), maker.rng.choice((1, 2)))
    if maker.chance(0.3):
        maker.mark("break")
        return [
            f"{name} = 0",
            "while True:",
            f"    {name} += 1",
            f"    if {name} > {maker.number(scope)}:",
            "        break",
            *indent(body),
        ]
    return [f"{name} = 0", f"while {name} < {maker.number(scope)}:", f"    {name} += 1", *indent(body)]


@idiom(weight=4, needs="round args")
def left_early(maker: Maker, scope: Scope) -> Lines:
    """A loop that is left before its end, by all ranks or (a mistake, where a collective follows) by some."""
    kind = maker.pick("break", "continue")
    maker.mark("for-loop", kind)
    name = maker.name()
    inner = looped(scope, counter=name)
    if maker.chance(0.45):
        test, body = maker.uniform(inner), maker.event(inner)
    else:
        test, body = maker.test(inner, maker.who(), maker.chance(0.6)), maker.work(inner)
        if maker.slip(0.5):
            body = inserted(maker, inner, body)
    leave = [f"if {test}:", *indent([*(maker.quiet(inner) if maker.chance(0.5) else []), kind])]
    before = maker.event(inner) if maker.chance(0.2) and kind == "continue" else maker.quiet(inner)
    return [f"for {name} in range({maker.number(scope)}):", *indent([*before, *leave, *body])]


@idiom(weight=4, needs="round args")
def loop_else(maker: Maker, scope: Scope) -> Lines:
    maker.mark("loop-else", "break")
    name = maker.name()
    inner = looped(scope, counter=name)
    by_rank = maker.chance(0.4) or maker.slip(0.3)
    if by_rank:
        test = maker.test(inner, maker.who())
    else:
        test = f"{name} == {maker.number(inner)}" if maker.chance(0.5) else maker.flag(inner)
    otherwise = maker.event(scope) if not by_rank or maker.slip(0.6) else maker.work(scope)
    lines = [
        f"for {name} in range({maker.rng.choice((1, 2, 3))}):",
        *indent([*maker.quiet(inner), f"if {test}:", *indent([*maker.quiet(inner), "break"])]),
        "else:",
    ]
    return [*lines, *indent(otherwise)]


@idiom(weight=4, needs="round")
def as_long_as_the_rank(maker: Maker, scope: Scope) -> Lines:
    """A loop whose length depends on the rank."""
    maker.mark("rank-loop")
    name, dist = maker.name(), maker.dist(scope)
    rank = maker.rank(scope)
    kind = maker.rng.choice(("range", "shard", "even"))
    if kind == "range":
        subject, equal = maker.pick(f"range({rank})", f"range({rank} + 1)", f"range({dist}.get_world_size() - {rank})"), False
    elif kind == "shard":
        subject, equal = f"range({rank}, {maker.rng.choice((9, 10, 11))}, {dist}.get_world_size())", False
    else:
        subject, equal = f"range({rank}, 8, {dist}.get_world_size())", True
    inner = looped(scope)
    body = maker.work(inner)
    if (equal and maker.chance(0.4)) or maker.slip(0.4):
        body = inserted(maker, inner, body)
    return [f"for {name} in {subject}:", *indent(body)]


@idiom(weight=4, needs="round")
def take_turns(maker: Maker, scope: Scope) -> Lines:
    """One rank after the other works, and all wait after each."""
    maker.mark("take-turns", "for-loop")
    name, dist = maker.name("turn"), maker.dist(scope)
    rank = maker.rank(scope)
    test = maker.pick(f"{name} == {rank}", f"{rank} == {name}")
    barrier = maker.collective(scope, "barrier")
    body = maker.work(scope)
    if maker.slip(0.3):
        body += barrier
        barrier = maker.quiet(scope)
    if maker.chance(0.25):
        maker.mark("continue")
        skip = [f"if {name} != {rank}:", *indent([*barrier, "continue"])]
        return [f"for {name} in range({dist}.get_world_size()):", *indent([*skip, *body, *barrier])]
    return [f"for {name} in range({dist}.get_world_size()):", *indent([f"if {test}:", *indent(body), *barrier])]


@idiom(weight=2, needs="round")
def stairs(maker: Maker, scope: Scope) -> Lines:
    """Each rank waits for those before it, works, and waits for those after it."""
    maker.mark("take-turns", "rank-loop")
    dist, rank = maker.dist(scope), maker.rank(scope)
    lines = [f"for _ in range({rank}):", f"    {dist}.barrier()", *maker.work(scope)]
    rest = f"{dist}.get_world_size() - {rank}" + (" - 1" if maker.chance(0.3) else "")
    return [*lines, *([] if maker.slip(0.3) else [f"for _ in range({rest}):", f"    {dist}.barrier()"])]


@idiom(weight=3, needs="round")
def until_all_are_done(maker: Maker, scope: Scope) -> Lines:
    """A loop that ends when all ranks have said so; or (a mistake) when each one has."""
    maker.mark("while-loop", "equalising-reduce", "break")
    scope.module.need("import torch")
    scope.module.need("import os")
    dist, done, count, inner = maker.dist(scope), maker.name(), maker.name(), looped(scope)
    lines = [f"{done} = torch.tensor([float(os.path.exists('done'))])"]
    lines += [] if maker.slip(0.3) else [f"{dist}.all_reduce({done})"]
    lines += [f"if {done}.item() > 0:", "    break", *maker.event(inner)]
    return [f"{count} = 0", f"while {count} < 3:", f"    {count} += 1", *indent(lines)]


@idiom(weight=2, needs="loop leaf")
def leave_loop(maker: Maker, scope: Scope) -> Lines:
    """All leave the round, or the loop, together."""
    kind = maker.pick("break", "continue")
    maker.mark(kind)
    return [f"if {maker.uniform(scope)}:", f"    {kind}"]


@idiom(weight=1, needs="loop leaf")
def leave_loop_by_rank(maker: Maker, scope: Scope) -> Lines:
    if not maker.slip(0.4):
        return maker.quiet(scope)
    kind = maker.pick("break", "continue")
    maker.mark(kind)
    return [f"if {maker.test(scope, maker.who())}:", *indent([*maker.quiet(scope), kind])]
