"""Tests on the rank around work, and the ways collectives are spread over them."""

from __future__ import annotations

from tests.oracle.idioms import idiom
from tests.oracle.maker import WHO, Maker, Scope
from tests.oracle.writing import Lines, indent


@idiom(weight=10, needs="leaf")
def plain_work(maker: Maker, scope: Scope) -> Lines:
    return maker.work(scope)


@idiom(weight=9, needs="leaf")
def plain_event(maker: Maker, scope: Scope) -> Lines:
    return maker.event(scope)


def inserted(maker: Maker, scope: Scope, work: Lines) -> Lines:
    """A collective somewhere in a piece of work."""
    event = maker.event(scope)
    return [*work, *event] if maker.chance(0.6) else [*event, *work]


@idiom(weight=10)
def guarded_work(maker: Maker, scope: Scope) -> Lines:
    """Some ranks do something more."""
    who, wanted = maker.who(), maker.chance(0.7)
    test = maker.test(scope, who, wanted)
    if maker.chance(0.25):
        other = maker.uniform(scope)
        test = f"{test} and {other}" if maker.chance(0.5) else f"{other} and {_bracketed(test)}"
        maker.mark("and-or")
    body = maker.work(scope)
    if maker.slip(0.3):
        body = inserted(maker, scope, body)
    lines = [f"if {test}:", *indent(body)]
    if maker.chance(0.25):
        lines += ["else:", *indent(inserted(maker, scope, maker.work(scope)) if maker.slip(0.1) else maker.work(scope))]
    return lines


def _bracketed(test: str) -> str:
    return f"({test})" if " or " in test or " and " in test else test


@idiom(weight=3)
def guarded_or(maker: Maker, scope: Scope) -> Lines:
    """Some ranks, or all in some mode."""
    maker.mark("and-or")
    body = maker.work(scope)
    if maker.slip(0.3):
        body = inserted(maker, scope, body)
    return [f"if {maker.test(scope, maker.who())} or {maker.uniform(scope)}:", *indent(body)]


@idiom(weight=4)
def same_on_both_sides(maker: Maker, scope: Scope) -> Lines:
    """Both arms run the same collective, after different work."""
    operation = maker.operation()
    one = [*maker.work(scope), *maker.collective(scope, operation)]
    other_operation = operation
    if maker.slip(0.3):
        other_operation = maker.rng.choice([each for each in maker.OPERATIONS if each != operation])
    other = maker.collective(scope, other_operation)
    if maker.chance(0.4):
        other = [*maker.work(scope), *other]
    if maker.slip(0.15):
        other = maker.work(scope)
    return [f"if {maker.test(scope, maker.who())}:", *indent(one), "else:", *indent(other)]


@idiom(weight=3)
def two_in_order(maker: Maker, scope: Scope) -> Lines:
    """Two collectives in each arm, in the same order or (a mistake) not."""
    first, second = maker.operation(), maker.operation()
    one = [*maker.collective(scope, first), *maker.quiet(scope), *maker.collective(scope, second)]
    if maker.slip(0.3):
        first, second = second, first
    other = [*maker.collective(scope, first), *maker.collective(scope, second)]
    return [f"if {maker.test(scope, maker.who())}:", *indent(one), "else:", *indent(other)]


@idiom(weight=6)
def split_barrier(maker: Maker, scope: Scope) -> Lines:
    """The others wait until some ranks are done, then these arrive."""
    maker.mark("split-barrier")
    who, early = maker.who(), maker.chance(0.3)
    operation = "barrier" if maker.chance(0.8) else maker.operation()
    also = f" and {maker.uniform(scope)}" if scope.args and maker.chance(0.25) else ""
    arriving, also_arriving, operation_arriving = who, also, operation
    missing = False
    if maker.slip(0.35):
        kind = maker.rng.choice(("who", "who", "missing", "operation", "flag"))
        if kind == "who":
            arriving = maker.rng.choice([each for each in WHO if each != who])
        elif kind == "missing":
            missing = True
        elif kind == "operation":
            operation_arriving = "all_reduce" if operation != "all_reduce" else "barrier"
        else:
            also_arriving = "" if also else f" and {maker.flag(scope)}" if scope.args else ""
    if also or also_arriving:
        maker.mark("and-or")
    wait = [f"if {maker.test(scope, who, early)}{also}:", *indent(maker.collective(scope, operation))]
    work = maker.work(scope)
    if maker.chance(0.4):
        work = [f"if {maker.test(scope, who)}:", *indent(work)]
    arrive = [
        f"if {maker.test(scope, arriving, not early)}{also_arriving}:",
        *indent(maker.collective(scope, operation_arriving)),
    ]
    if not also and maker.chance(0.35):
        function = maker.function(
            scope, lambda inner: [f"if {maker.test(inner, who, early)}:", *indent(maker.collective(inner, operation))]
        )
        wait = [*function.before, function.call]
    if missing:
        return [*wait, *work]
    return [*wait, *work, *arrive]


@idiom(weight=4, needs="leaf")
def uniform_event(maker: Maker, scope: Scope) -> Lines:
    """A collective in one mode, in which all ranks are or none is."""
    lines = [f"if {maker.uniform(scope)}:", *indent(maker.event(scope))]
    if maker.chance(0.3):
        lines += ["else:", *indent(maker.event(scope) if maker.chance(0.5) else maker.work(scope))]
    return lines


@idiom(weight=4)
def uniform_block(maker: Maker, scope: Scope) -> Lines:
    return [f"if {maker.uniform(scope)}:", *indent(maker.block(scope.inner(), maker.rng.choice((1, 2))))]


@idiom(weight=3)
def conditional_expression(maker: Maker, scope: Scope) -> Lines:
    maker.mark("conditional-expression")
    who, name = maker.who(), maker.name()
    dist = maker.dist(scope)
    if maker.slip(0.35):
        return maker.one_of(
            lambda: [f"{dist}.barrier() if {maker.test(scope, who)} else None"],
            lambda: [f"{maker.test(scope, who)} and {dist}.barrier()"],
            lambda: [f"{name} = None if {maker.test(scope, who, False)} else {_call(maker, scope)}"],
        )
    return maker.one_of(
        lambda: [f"{name} = 'main' if {maker.test(scope, who)} else 'other'", f"print({name})"],
        lambda: [f"{name} = {_call(maker, scope)} if {maker.uniform(scope)} else None"],
        lambda: [f"{maker.test(scope, who)} and print('{name}')"],
        lambda: [f"{name} = {maker.rank(scope)} if {maker.uniform(scope)} else 0", *maker.collective(scope)],
        lambda: [f"{dist}.barrier() if {maker.test(scope, who)} else {dist}.barrier()"],
    )


def _call(maker: Maker, scope: Scope) -> str:
    return f"{maker.shared(scope, 'gathered', _gathered(maker))}()"


def _gathered(maker: Maker):
    def define(scope: Scope) -> Lines:
        dist, word = maker.dist(scope), maker.name()
        maker.mark("helper")
        scope.module.need("import torch")
        return [
            f"def {maker.name('gather', 'mean')}():",
            f"    {word} = torch.ones(1)",
            f"    {dist}.all_reduce({word})",
            f"    return {word}.item()",
        ]

    return define


@idiom(weight=5)
def sub_group(maker: Maker, scope: Scope) -> Lines:
    """A collective between some ranks, which know that they are meant."""
    maker.mark("sub-group", "rank-membership")
    dist, members, group, word = maker.dist(scope), maker.name("members"), maker.name("group"), maker.name()
    scope.module.need("import torch")
    ranks = maker.rng.choice(([0, 1], [0, 2], [1, 2, 3], [0, 1, 2]))
    rank = maker.rank(scope)
    operation = maker.rng.choice(
        (
            f"{dist}.all_reduce({word}, group={group})",
            f"{dist}.barrier(group={group})",
            f"{dist}.broadcast({word}, {ranks[0]}, group={group})",
        )
    )
    create, test = f"{group} = {dist}.new_group({members})", f"{rank} in {members}"
    early = False
    if maker.slip(0.35):
        kind = maker.rng.choice(("create", "member", "world"))
        early = kind == "create"
        if kind == "member":
            test = f"{rank} == {maker.rng.choice(ranks)}"
        elif kind == "world":
            operation = f"{dist}.all_reduce({word})"
    lines = [f"{members} = {ranks}", f"{word} = torch.ones(1)"]
    if early:
        return [*lines, f"if {test}:", *indent([create, operation])]
    if maker.chance(0.3):
        lines += maker.quiet(scope)
    return [*lines, create, f"if {test}:", *indent([operation, *(maker.quiet(scope) if maker.chance(0.4) else [])])]


@idiom(weight=3)
def halves(maker: Maker, scope: Scope) -> Lines:
    """The even ranks make one group, the odd ones another; each talks in its own."""
    maker.mark("sub-group", "rank-modulo")
    dist, even, odd, word = maker.dist(scope), maker.name("even"), maker.name("odd"), maker.name()
    scope.module.need("import torch")
    rank = maker.rank(scope)
    lines = [f"{even} = {dist}.new_group([0, 2])", f"{odd} = {dist}.new_group([1, 3])", f"{word} = torch.ones(1)"]
    if maker.chance(0.5):
        own = maker.name()
        return [*lines, f"{own} = {even} if {rank} % 2 == 0 else {odd}", f"{dist}.all_reduce({word}, group={own})"]
    return [
        *lines,
        f"if {rank} % 2 == 0:",
        f"    {dist}.all_reduce({word}, group={even})",
        "else:",
        *indent(maker.quiet(scope)),
        f"    {dist}.all_reduce({word}, group={odd})",
    ]


@idiom(weight=5)
def equalised(maker: Maker, scope: Scope) -> Lines:
    """Rank 0 decides, the others are told; or (a mistake) they are not."""
    dist, word = maker.dist(scope), maker.name()
    maker.mark("equalising-broadcast")
    slipped = maker.slip(0.3)
    decide = _decision(maker, scope)
    if maker.chance(0.5):
        scope.module.need("import torch")
        lines = [f"{word} = torch.zeros(1)", f"if {maker.test(scope, 'main')}:", *indent([f"{word}[0] = float({decide})"])]
        lines += [] if slipped else [f"{dist}.broadcast({word}, {maker.pick('0', 'src=0')})"]
        test = maker.pick(f"{word}.item() > 0", f"{word}.item()", f"bool({word}.item())", f"{word}[0] > 0")
    else:
        maker.mark("object-collective")
        fill = [f"{word}[0] = {decide}"]
        lines = [f"{word} = [False]", f"if {maker.test(scope, 'main')}:", *indent(fill)]
        if maker.chance(0.4):
            maker.mark("conditional-expression")
            lines = [f"{word} = [{decide} if {maker.test(scope, 'main')} else False]"]
        lines += [] if slipped else [f"{dist}.broadcast_object_list({word}, src=0)"]
        test = f"{word}[0]"
    if maker.chance(0.3):
        name = maker.name()
        lines.append(f"{name} = {test}")
        test = name
    return [*lines, *decided(maker, scope, test)]


def _decision(maker: Maker, scope: Scope) -> str:
    scope.module.need("import os")
    name = maker.name()
    return f'os.path.exists("{name}.flag")'


def decided(maker: Maker, scope: Scope, test: str) -> Lines:
    """What hangs on a decision that is the same on all ranks."""
    kind = maker.rng.choice(
        ["event", "event", "skip", *(["return"] * 2 if scope.returns else []), *(["break", "continue"] if scope.loop else [])]
    )
    if kind == "event":
        return [f"if {test}:", *indent(maker.event(scope))]
    if kind == "skip":
        return [f"if not {test}:", *indent(maker.work(scope)), "else:", *indent(maker.event(scope))]
    maker.mark("early-return" if kind == "return" else kind)
    return [f"if {test}:", *indent([*maker.quiet(scope), kind]), *maker.event(scope)]


@idiom(weight=2)
def told_by_a_helper(maker: Maker, scope: Scope) -> Lines:
    """A function that asks rank 0 for everybody."""
    maker.mark("equalising-broadcast", "helper")
    told = maker.shared(scope, "told", _told(maker))
    scope.module.need("import os")
    name = maker.name()
    lines = [f'{name} = {told}(os.path.exists("{name}.flag"))']
    return [*lines, *decided(maker, scope, name)]


def _told(maker: Maker):
    def define(scope: Scope) -> Lines:
        dist, box = maker.dist(scope), maker.name()
        parameter = maker.name()
        if maker.chance(0.5):
            maker.mark("object-collective")
            return [
                f"def {maker.name('decide', 'agree')}({parameter}):",
                f"    {box} = [{parameter}]",
                f"    {dist}.broadcast_object_list({box}, src=0)",
                f"    return {box}[0]",
            ]
        scope.module.need("import torch")
        return [
            f"def {maker.name('decide', 'agree')}({parameter}):",
            f"    {box} = torch.tensor([float({parameter})])",
            f"    {dist}.broadcast({box}, src=0)",
            f"    return {box}.item() > 0",
        ]

    return define


@idiom(weight=2)
def value_under_guard(maker: Maker, scope: Scope) -> Lines:
    """A variable that rank 0 sets and all read."""
    name = maker.name()
    value, empty, test = maker.rng.choice(
        (("'best.pt'", "None", f"{name} is not None"), ("True", "False", name), ("3", "0", f"{name} > 0"), ("'x'", "None", name))
    )
    lines = [f"{name} = {empty}", f"if {maker.test(scope, maker.who())}:", f"    {name} = {value}"]
    if maker.slip(0.35):
        return [*lines, f"if {test}:", *indent(inserted(maker, scope, maker.quiet(scope)))]
    return [*lines, f"if {test}:", *indent(maker.work(scope))]
