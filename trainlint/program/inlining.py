"""Inlining: a function with its helpers put where it calls them, for who reads the steps of one function.

A helper is a function or method of the project that a call surely runs, that this function calls nowhere else, and that returns
at its end only. Its parameters are then what the call hands it, its ``self`` is the object that it is called on, an attribute of
an object that is constructed here is what the constructor was given, and the result of the call is what it returns. The body of
a ``with`` stands where a context manager of the project yields.

What else runs (a model, a constructor, a decorated function, a generator) stays a call. The places of a helper keep their spots,
those of one in another file are there: :meth:`Inlined.path`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from trainlint.finding import Spot
from trainlint.ir.nodes import NAMED, Attr, Call, Entered, Global, Kwargs, LoopPhi, Nested, NestedClass, Param, Ref, Self, Term
from trainlint.ir.sketch import Bind, Block, CallStep, Caught, Exit, Function, Loop, Phi, Statement, Store, Try, With, Yield
from trainlint.ir.terms import is_super, parts_of
from trainlint.ir.walk import of_kind, roots, step_spot, walk_all
from trainlint.program.call_graph import CallGraph, CallSite, only_carries
from trainlint.program.callables import partial_of
from trainlint.program.leading import Leading
from trainlint.program.origins import expression_of
from trainlint.program.program import Program, calls_of
from trainlint.program.scopes import manages
from trainlint.program.values import Argument, Context, FunctionValue, Instance, Library

#: How many functions may stand in one, one in the other, and how many statements all of them may have.
_MOST, _DEEPEST, _LONGEST = 16, 4, 400
#: What an object runs as a whole: models stay calls, and so do constructors.
_WHOLE = frozenset(("__call__", "forward", "__init__"))
#: Names that mean something else in another file.
_OF_FILE = (Global, Nested, NestedClass)


class Inlined(NamedTuple):
    """A function with its helpers in it (the function itself, where it has none), and the activation to ask about its terms in.

    ``written`` is the function without them; ``elsewhere`` says of places that are in another file in which, and ``helpers`` in
    which of them each place is.
    """

    module: str
    function: Function
    frame: Context
    written: Function
    elsewhere: dict[Spot, str]
    helpers: dict[Spot, Function]

    def path(self, place: Spot) -> str:
        """The file in which a place is."""
        return self.elsewhere.get(place, self.module)

    def home(self, place: Spot) -> Function:
        """The function in which a call is written."""
        return self.helpers.get(place, self.written)

    def owns(self, place: Spot) -> bool:
        """Whether a call is written in the function itself: there its names mean what they mean in it."""
        return place not in self.helpers


def inlined(program: Program, about: tuple[str, Function, Function | None]) -> Inlined:
    """A function, told by its file and itself, with its helpers in it, but for one that is asked about."""
    module, function, asked = about
    alone = itself(program, module, function)
    if function.generator or function.kind in ("class", "lambda"):
        return alone
    return _Inlining(program, alone, asked).run()


def itself(program: Program, module: str, function: Function) -> Inlined:
    """A function as it is written."""
    return Inlined(module, function, program.frame(module, function), function, {}, {})


def all_inlined(program: Program, sites: Iterable[CallSite]) -> Iterator[Inlined]:
    """The functions that make one of these calls, directly or through others, with their helpers in them."""
    leading = program.ask(Leading).to(*dict.fromkeys(site.function for site in sites))
    for module, function in program.functions() if leading else ():
        if id(function) in leading:
            yield program.ask_of(inlined, (module, function, None))


def calls_named(program: Program, dotted: Collection[str]) -> Iterator[tuple[Inlined, CallStep]]:
    """The calls of what may be one of these things of libraries, in each function that makes them, by itself or by a helper."""
    sites = sites_of(program, dotted)
    places = {site.call.term.site for site in sites}
    for whole in all_inlined(program, sites):
        yield from ((whole, node) for node in calls_of(whole.function) if node.term.site in places)


def sites_of(program: Program, dotted: Collection[str]) -> list[CallSite]:
    """Where something is called that has the name of one of these things of libraries, and may be it."""
    sites = (site for name in {name.rpartition(".")[2] for name in dotted} for site in program.ask(CallGraph).sites_named(name))
    return [site for site in sites if _may_be(program, site, dotted)]


def _may_be(program: Program, site: CallSite, dotted: Collection[str]) -> bool:
    """Whether what is called may be one of these: it is not only known to be something else."""
    values = program.values(site.call.term.callee, program.frame(site.module, site.function))
    return not values or any(not isinstance(value, Library) or value.name in dotted for value in values)


def runs_of(program: Program, function: Function) -> Iterator[CallSite]:
    """The calls that surely run a function and nothing else, each in a function with its helpers in it."""
    calls = program.ask(CallGraph)
    knowing = [other for _, other in program.functions() if other is not function and _speaks_of(other, function.name)]
    near = program.ask(Leading).to(function, *knowing)
    for module, other in program.functions():
        if other is function or id(other) not in near:
            continue
        whole = program.ask_of(inlined, (module, other, function))
        for node in calls_of(whole.function):
            targets = calls.targets(node.term, whole.frame)
            if targets and all(isinstance(each, FunctionValue) and each.function is function for each in targets):
                yield CallSite(whole.path(node.term.site), whole.function, node)


def _speaks_of(function: Function, name: str) -> bool:
    """Whether a function returns or yields something of this name, or hands it to a call."""
    given = [node.value for node in of_kind(function, Exit) if node.value is not None]
    given += [node.value for node in of_kind(function, Yield) if node.value is not None]
    given += [each for node in calls_of(function) for each in (*node.term.args, *(value for _, value in node.term.kwargs))]
    return any(isinstance(each, NAMED) and each.name.rpartition(".")[2] == name for each in given)


def is_handed_on(program: Program, function: Function) -> bool:
    """Whether a function is an argument of a call that may wrap it: it does not give it back, and makes no object."""
    sites = program.ask(CallGraph).handed.get(function.name, ())
    for module, other in dict.fromkeys((site.module, site.function) for site in sites):
        whole = program.ask_of(inlined, (module, other, function))
        for node in calls_of(whole.function):
            given = (*node.term.args, *(value for _, value in node.term.kwargs))
            values = (value for part in given if isinstance(part, NAMED) for value in program.values(part, whole.frame))
            same = any(isinstance(value, FunctionValue) and value.function is function for value in values)
            if same and not _carries(program, node.term, whole.frame, function):
                return True
    return False


def _carries(program: Program, call: Call, frame: Context, function: Function) -> bool:
    binds = any(partial_of(value) is not None for value in program.values(call, frame))
    return binds or only_carries(program, call, frame, function)


class _Scope:
    """An activation whose statements are put into the function.

    ``means`` says what terms of its own are there: of parameters, the object at hand and what ``with`` binds by a key that says
    what they are. ``made`` are all terms that were asked about. ``helpers`` are the calls that give way to what they run.
    """

    def __init__(self, frame: Context, means: dict[object, Term], active: tuple[Function, ...]) -> None:
        self.frame = frame
        self.means = means
        self.made: dict[Term, Term] = {}
        self.active = active
        self.helpers: dict[Call, FunctionValue] = {}


class _Inlining:
    """That of one function."""

    def __init__(self, program: Program, alone: Inlined, asked: Function | None) -> None:
        self._program = program
        self._asked = asked
        self._alone = alone
        self._calls = program.ask(CallGraph)
        self._own = _Scope(alone.frame, {}, (alone.function,))
        self._known: dict[tuple[object, ...], Term] = {}
        self._inside: list[Function] = []
        self._phis: dict[LoopPhi, Phi] = {}
        self._elsewhere: dict[Spot, str] = {}
        self._homes: dict[Spot, Function] = {}
        self._spots: set[Spot] = set()
        self._left = _LONGEST

    def run(self) -> Inlined:
        """Put in what can be."""
        function = self._alone.function
        self._find_helpers(self._own)
        if not self._own.helpers:
            return self._alone
        self._learn(function)
        body = self._block(function.body, self._own)
        if not self._inside:
            return self._alone
        self._phis = {**self._phis, **self._phis_of(function, self._own)}
        spots = [each.spot for each in (function, *self._inside) if each.spot not in self._elsewhere]
        spot = Spot(
            min(each.line for each in spots), 0, max(each.end_line for each in spots), max(each.end_column for each in spots)
        )
        new = replace(
            function, body=body, phis=self._phis, spot=spot, flat=None, kinds=None, order=None, unknowns=None, held=None
        )
        frame = replace(self._alone.frame, function=new, values={}, answers={})
        self._program.rewritten[new] = frame
        return self._alone._replace(function=new, frame=frame, elsewhere=self._elsewhere, helpers=self._homes)

    # -- which can be ------------------------------------------------------------------------------------------------

    def _find_helpers(self, scope: _Scope) -> None:
        """Note the calls of an activation that run a helper."""
        found: dict[Call, FunctionValue] = {}
        for node in calls_of(scope.frame.function):
            targets = self._calls.targets(node.term, scope.frame)
            target = targets[0] if len(targets) == 1 else None
            if isinstance(target, FunctionValue) and len(self._program.values(node.term.callee, scope.frame)) == 1:
                found[node.term] = target
        counts = Counter(id(target.function) for target in found.values())
        for call, target in found.items():
            function = target.function
            if counts[id(function)] > 1 or function in scope.active or function is self._asked:
                continue
            if self._program.ask_of(_is_plain, function) or (_yields_once(function) and manages(self._program, target)):
                scope.helpers[call] = target

    def _entered(self, target: FunctionValue, call: Call, scope: _Scope) -> _Scope | None:
        """What the terms of a helper are where it is called; None where it has to stay a call."""
        function = target.function
        size = len(walk_all(function.body))
        if function in self._inside:
            return None
        if len(scope.active) > _DEEPEST or len(self._inside) >= _MOST or size > self._left:
            scope.frame.cut(f"`{function.name}` is too much to be read where it is called", call)
            return None
        inner = self._program.enter(target, call, scope.frame)
        first = function.parameters[0] if function.kind == "method" and function.parameters else None
        means: dict[object, Term] = {}
        for name in function.parameters:
            bound = inner.arguments.get(name)
            key = (Param, function.qualname, name)
            if isinstance(bound, Argument) and bound.frame is scope.frame:
                means[key] = self._term(bound.term, scope)
            elif bound is None and name in function.defaults:
                means[key] = function.defaults[name]
            elif name != first:
                return None
        if function.kind == "method":
            holder = self._receiver(target, call, scope)
            if holder is None:
                return None
            means[Self] = holder
        if not self._fits(target):
            return None
        self._learn(function)
        self._homes.update((node.term.site, function) for node in calls_of(function))
        self._left -= size
        self._inside.append(function)
        new = _Scope(inner, means, (*scope.active, function))
        self._find_helpers(new)
        return new

    def _receiver(self, target: FunctionValue, call: Call, scope: _Scope) -> Term | None:
        """The object that a method is called on."""
        callee = call.callee
        if isinstance(callee, Attr) and callee.name == target.function.name:
            if is_super(callee.base):
                return scope.means.get(Self) or next((each for each in self._known.values() if isinstance(each, Self)), None)
            return self._term(callee.base, scope)
        made = target.receiver
        if isinstance(made, Instance) and made.call is not None and made.frame is scope.frame:
            return self._term(made.call, scope)
        return None

    def _fits(self, target: FunctionValue) -> bool:
        """Whether the places of a helper, and the names of its file, mean the same where it is called."""
        function = target.function
        nodes = walk_all(function.body)
        if any(step_spot(node) in self._spots for node in nodes if not isinstance(node, Bind)):
            return False
        if target.module == self._alone.module:
            return True
        parts = [part for node in nodes for root in roots(node) for part in parts_of(root)]
        if any(isinstance(each, _OF_FILE) or (isinstance(each, Ref) and each.name.startswith(".")) for each in parts):
            return False
        places = {step_spot(node) for node in nodes} | {node.statement for node in nodes if isinstance(node, CallStep)}
        self._elsewhere.update(dict.fromkeys((*places, function.spot), target.module))
        return True

    def _learn(self, function: Function) -> None:
        """Note the terms and places of a function: a term that is made anew and says the same as one of these is that one."""
        for node in walk_all(function.body):
            if not isinstance(node, Bind):
                self._spots.add(step_spot(node))
            for root in roots(node):
                for part in parts_of(root):
                    self._known.setdefault((type(part), *part.parts), part)

    # -- statements --------------------------------------------------------------------------------------------------

    def _block(self, block: Block, scope: _Scope) -> Block:
        return tuple([new for node in block for new in self._statement(node, scope)])

    def _statement(self, node: Statement, scope: _Scope) -> Block:
        """What stands in place of a statement."""
        if isinstance(node, CallStep):
            target = scope.helpers.get(node.term)
            if target is None:
                return (CallStep(self._call(node.term, scope), node.statement),)
            return () if target.function.generator else self._called(target, node, scope)
        if isinstance(node, Bind) and scope is not self._own:
            return ()  # a name of the helper
        if isinstance(node, With):
            return self._with(node, scope)
        if isinstance(node, Try):
            body, orelse, final = (self._block(each, scope) for each in (node.body, node.orelse, node.final))
            handlers = tuple([self._block(each, scope) for each in node.handlers])
            caught = tuple([Caught(each.kinds and self._term(each.kinds, scope), each.spot) for each in node.caught])
            return (node._replace(body=body, handlers=handlers, orelse=orelse, final=final, caught=caught),)
        fields: dict[str, Any] = {}
        for name, value in node._asdict().items():
            if name in ("body", "orelse"):
                fields[name] = self._block(value, scope)
            elif isinstance(value, Term):
                fields[name] = self._term(value, scope)
        if isinstance(node, Loop) and scope is not self._own:
            fields.update(names=(), drawn=0)
        return (node._replace(**fields),)

    def _called(self, target: FunctionValue, node: CallStep, scope: _Scope) -> Block:
        """The body of a helper, in place of its call."""
        inner = self._entered(target, node.term, scope)
        if inner is None:
            return (CallStep(self._call(node.term, scope), node.statement),)
        body = self._block(target.function.body, inner)
        self._phis.update(self._phis_of(target.function, inner))
        last = body[-1] if body else None
        returned = last.value if isinstance(last, Exit) and last.kind == "return" else None
        scope.means[node.term] = returned or self._program.terms.const(None)
        return body[:-1] if isinstance(last, Exit) and last.kind == "return" else body

    def _with(self, node: With, scope: _Scope) -> Block:
        """A ``with``: its body where managers of the project yield."""
        around: list[Block] = []
        items = []
        for item in node.items:
            target = scope.helpers.get(item) if isinstance(item, Call) else None
            inner = self._entered(target, item, scope) if target is not None and isinstance(item, Call) else None
            if target is None or inner is None:
                items.append(self._term(item, scope))
                continue
            around.append(self._block(target.function.body, inner))
            self._phis.update(self._phis_of(target.function, inner))
            given = of_kind(target.function, Yield)[0].value
            scope.means[Entered, item] = self._program.terms.const(None) if given is None else self._term(given, inner)
        if around:
            scope.made.clear()  # the names that it binds were asked about
        body = self._block(node.body, scope)
        new: Block = (node._replace(items=tuple(items), body=body),) if items or not around else body
        for outer in reversed(around):
            new = _spliced(outer, new)
        return new

    def _phis_of(self, function: Function, scope: _Scope) -> dict[LoopPhi, Phi]:
        """What names hold that loops of a function bind."""
        return {
            name: Phi(*(each if each is None else self._term(each, scope) for each in phi)) for name, phi in function.phis.items()
        }

    # -- terms -------------------------------------------------------------------------------------------------------

    def _call(self, call: Call, scope: _Scope) -> Call:
        new = self._term(call, scope)
        assert isinstance(new, Call)
        return new

    def _term(self, term: Term, scope: _Scope) -> Term:
        """What a term of an activation is in the function."""
        made = scope.means.get(term) or scope.made.get(term)
        if made is None:
            made = self._made(term, scope)
            scope.made[term] = made
        return made

    def _made(self, term: Term, scope: _Scope) -> Term:
        if isinstance(term, Param):
            return scope.means.get((Param, term.function, term.name), term)
        if isinstance(term, Self):
            return scope.means.get(Self, term)
        if isinstance(term, Entered) and (Entered, term.manager) in scope.means:
            return scope.means[Entered, term.manager]
        parts = tuple([self._part(each, scope) for each in term.parts])
        if all(new is old for new, old in zip(parts, term.parts, strict=True)):
            return self._known.setdefault((type(term), *parts), term)
        made = self._known.setdefault((type(term), *parts), type(term).new(*parts))
        return self._held(made) if isinstance(made, Attr) else made

    def _part(self, part: Any, scope: _Scope) -> Any:
        if isinstance(part, Term):
            return self._term(part, scope)
        if type(part) is not tuple:
            return part
        new = tuple([self._part(each, scope) for each in part])
        return part if all(one is other for one, other in zip(new, part, strict=True)) else new

    def _held(self, made: Attr) -> Term:
        """What an attribute of an object is that was put there once, by a constructor that this function calls."""
        frame = self._alone.frame
        values = self._program.values(made, frame)
        found = expression_of(values[0]) if len(values) == 1 else None
        if found is None or found.frame is not frame or found.term is made:
            return made
        return self._term(found.term, self._own)


def _is_plain(_program: Program, function: Function) -> bool:
    """Whether a function is a sequence of statements that returns at its end, if at all."""
    if function.decorators or function.generator or function.variadic is not None or function.name in _WHOLE:
        return False
    if function.kind not in ("function", "method", "static"):
        return False
    if any(isinstance(node.target, (Global, LoopPhi)) for node in of_kind(function, Store)):
        return False  # who reads that name asks which call binds it
    nodes = walk_all(function.body)
    if any(isinstance(part, Kwargs) for node in nodes for root in roots(node) for part in parts_of(root)):
        return False
    last = function.body[-1] if function.body else None
    return all(each is last for each in of_kind(function, Exit) if each.kind == "return")


def _yields_once(function: Function) -> bool:
    """Whether a generator yields once, in no test and no loop."""
    if len(of_kind(function, Yield)) != 1 or any(each.kind == "return" for each in of_kind(function, Exit)):
        return False
    block = function.body
    while True:
        if any(isinstance(each, Yield) for each in block):
            return not of_kind(function, Yield)[0].whole
        inner = [
            each for each in block if isinstance(each, (Try, With)) and any(isinstance(n, Yield) for n in walk_all(each.body))
        ]
        if not inner or (isinstance(inner[0], Try) and inner[0].handlers):
            return False
        block = inner[0].body


def _spliced(block: Block, body: Block) -> Block:
    """A block with others in place of its ``yield``."""
    new: list[Statement] = []
    for node in block:
        if isinstance(node, Yield):
            new += body
        elif isinstance(node, (Try, With)):
            new.append(node._replace(body=_spliced(node.body, body)))
        else:
            new.append(node)
    return tuple(new)
