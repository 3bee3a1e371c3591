"""Classes: what an object keeps, inherits and computes."""

from __future__ import annotations

from tests.oracle.idioms import idiom
from tests.oracle.idioms_guards import inserted
from tests.oracle.maker import Maker, Owner, Scope
from tests.oracle.writing import Lines, indent


def _class(maker: Maker, scope: Scope) -> tuple[Scope, Owner, Lines]:
    """A class that knows its rank: where its methods are written, and its constructor."""
    home = maker.project.elsewhere(scope.module)
    if home is not scope.module:
        maker.mark("files")
    maker.mark("method")
    owner = Owner(maker.name().title())
    rank = maker.pick("rank", "global_rank", maker.name())
    outside = Scope(home, args="args" if scope.args else "")
    keep = [f"self.{rank} = {maker.rank(outside)}"]
    main: tuple[str, ...] = ()
    if scope.args:
        keep.insert(0, "self.args = args")
    if maker.chance(0.6):
        name = maker.pick("is_main", "main", maker.name())
        if maker.chance(0.5):
            maker.mark("property")
            owner.methods.append(["@property", f"def {name}(self):", f"    return self.{rank} == 0"])
        else:
            test = maker.pick(f"self.{rank} == 0", f"not self.{rank}", "")
            keep.append(f"self.{name} = {test or maker.test(outside, 'main')}")
        main = (f"self.{name}",)
    inner = Scope(
        home,
        args="self.args" if scope.args else "",
        rank=(f"self.{rank}",),
        main=main,
        owner=owner,
        rounds=scope.rounds,
        calls=scope.calls + 1,
    )
    return inner, owner, keep


def _finish(maker: Maker, scope: Scope, inner: Scope, owner: Owner, keep: Lines, bases: str = "") -> str:
    """Write the class down and say how an object of it is made."""
    parameters = "self, args" if scope.args else "self"
    methods = [[f"def __init__({parameters}):", *indent(keep)], *owner.methods]
    lines = [f"class {owner.name}{bases}:"]
    for method in methods:
        lines += [*indent(method), ""]
    inner.module.definitions.append(lines[:-1])
    reference = maker.project.reference(scope.module, inner.module, owner.name)
    return f"{reference}({scope.args})" if scope.args else f"{reference}()"


@idiom(weight=5)
def an_object(maker: Maker, scope: Scope) -> Lines:
    """An object with methods that call one another."""
    inner, owner, keep = _class(maker, scope)
    public = [maker.name("run", "fit", "save") for _ in range(maker.rng.choice((1, 2)))]
    for name in public:
        body = maker.block(inner, maker.rng.choice((1, 2)))
        owner.methods.append([f"def {name}(self):", *indent(body)])
    made = _finish(maker, scope, inner, owner, keep)
    thing = maker.name()
    return [f"{thing} = {made}", *(f"{thing}.{name}()" for name in public)]


@idiom(weight=5)
def inherited(maker: Maker, scope: Scope) -> Lines:
    """A base class with a hook that the derived class fills in."""
    maker.mark("inheritance")
    inner, owner, keep = _class(maker, scope)
    hook, run = maker.name("hook", "on_end"), maker.name("run", "fit")
    guarded = maker.chance(0.5)
    call = [f"if {maker.test(inner, 'main')}:", f"    self.{hook}()"] if guarded else [f"self.{hook}()"]
    after = maker.event(inner) if maker.chance(0.4) else maker.quiet(inner)
    owner.methods.append([f"def {run}(self):", *indent([*call, *after])])
    owner.methods.append(
        [f"def {hook}(self):", *indent(maker.pick("pass", "raise NotImplementedError", "return None").split("\n"))]
    )
    made = _finish(maker, scope, inner, owner, keep)
    derived = Scope(scope.module, args=inner.args, rank=inner.rank, main=inner.main, calls=inner.calls + 1, rounds=inner.rounds)
    talks = maker.slip(0.5) if guarded else maker.chance(0.5)
    body = inserted(maker, derived, maker.quiet(derived)) if talks else maker.work(derived)
    base, _, arguments = made.partition("(")
    name = maker.name().title()
    lines = [f"class {name}({base}):", *indent([f"def {hook}(self):", *indent(body)])]
    if maker.chance(0.4):
        extra = [f"super().{run}()", *maker.work(derived)]
        lines += ["", *indent([f"def {run}(self):", *indent(extra)])]
    scope.module.definitions.append(lines)
    thing = maker.name()
    return [f"{thing} = {name}({arguments}", f"{thing}.{run}()"]


@idiom(weight=5)
def kept_by_rank_0(maker: Maker, scope: Scope) -> Lines:
    """An attribute that is something on rank 0 only."""
    maker.mark("attribute")
    inner, owner, keep = _class(maker, scope)
    name, log = maker.name("writer", "logger"), maker.name("log", "report")
    scope_test = maker.test(Scope(inner.module, args=inner.args, rank=inner.rank), "main")
    if maker.chance(0.5):
        keep += [f"self.{name} = None", f"if {scope_test}:", f"    self.{name} = open_log()"]
    else:
        maker.mark("conditional-expression")
        keep += [f"self.{name} = open_log() if {scope_test} else None"]
    if ["def open_log():", "    return {'lines': []}"] not in inner.module.definitions:
        inner.module.definitions.append(["def open_log():", "    return {'lines': []}"])
    body = maker.work(inner)
    if maker.slip(0.5):
        body = inserted(maker, inner, body)
    test = maker.pick(f"self.{name} is not None", f"self.{name}")
    if maker.chance(0.3):
        maker.mark("early-return")
        lines = [f"if self.{name} is None:", "    return", *body]
    else:
        lines = [f"if {test}:", *indent(body)]
    owner.methods.append([f"def {log}(self):", *indent(lines)])
    made = _finish(maker, scope, inner, owner, keep)
    thing = maker.name()
    return [f"{thing} = {made}", f"{thing}.{log}()"]


@idiom(weight=5, needs="round args")
def told_to_stop(maker: Maker, scope: Scope) -> Lines:
    """Rank 0 sets a flag in one method; another method obeys it, on all ranks (right when the flag was shared)."""
    maker.mark("attribute", "for-loop", "break")
    inner, owner, keep = _class(maker, scope)
    flag, check, fit = maker.name("stop", "done"), maker.name("check", "watch"), maker.name("fit", "train")
    keep.append(f"self.{flag} = False")
    inner.module.need("import os")
    setting = [
        f"if {maker.test(inner, 'main')}:",
        *indent([*maker.quiet(inner), f"self.{flag} = {maker.pick('os.path.exists(chr(47))', 'True')}"]),
    ]
    if not maker.slip(0.5):
        dist, box = maker.dist(inner), maker.name()
        maker.mark("equalising-broadcast", "object-collective")
        setting += [f"{box} = [self.{flag}]", f"{dist}.broadcast_object_list({box}, src=0)", f"self.{flag} = {box}[0]"]
    owner.methods.append([f"def {check}(self):", *indent(setting)])
    body = [f"self.{check}()", f"if self.{flag}:", "    break", *maker.event(inner)]
    owner.methods.append([f"def {fit}(self):", *indent([f"for _ in range({maker.number(inner)}):", *indent(body)])])
    made = _finish(maker, scope, inner, owner, keep)
    thing = maker.name()
    return [f"{thing} = {made}", f"{thing}.{fit}()"]


@idiom(weight=3, needs="args")
def configured(maker: Maker, scope: Scope) -> Lines:
    """An attribute that is the same everywhere decides."""
    maker.mark("attribute")
    inner, owner, keep = _class(maker, scope)
    name, run = maker.name("use", "with"), maker.name("run")
    flag = maker.flag(Scope(inner.module, args="args"))
    if maker.chance(0.5):
        keep.append(f"self.{name} = {flag}")
    else:
        keep += [f"self.{name} = None", f"if {flag}:", f"    self.{name} = 'on'"]
    owner.methods.append([f"def {run}(self):", *indent([f"if self.{name}:", *indent(maker.event(inner)), *maker.quiet(inner)])])
    made = _finish(maker, scope, inner, owner, keep)
    thing = maker.name()
    return [f"{thing} = {made}", f"{thing}.{run}()"]


@idiom(weight=3)
def computed(maker: Maker, scope: Scope) -> Lines:
    """A property that says which rank does the work."""
    maker.mark("property")
    inner, owner, keep = _class(maker, scope)
    name, run = maker.name("saves", "works"), maker.name("run")
    who = maker.who()
    owner.methods.append(["@property", f"def {name}(self):", f"    return {maker.test(inner, who)}"])
    body = maker.work(inner)
    if maker.slip(0.45):
        body = inserted(maker, inner, body)
    lines = [f"if {maker.pick('', 'not ')}self.{name}:", *indent(body)]
    if maker.chance(0.3):
        lines += maker.event(inner)
    owner.methods.append([f"def {run}(self):", *indent(lines)])
    made = _finish(maker, scope, inner, owner, keep)
    thing = maker.name()
    return [f"{thing} = {made}", f"{thing}.{run}()"]
