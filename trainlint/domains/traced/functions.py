"""Functions that something traces, and what runs in them for sure."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from trainlint.domains.nn.modules import is_no_module
from trainlint.finding import Spot
from trainlint.ir.control_dependence import Failed, Led, walk_tested
from trainlint.ir.nodes import (
    Access,
    Attr,
    BoolOp,
    Call,
    Compare,
    Comprehension,
    Const,
    Dict,
    Element,
    Global,
    Kwargs,
    LoopPhi,
    Nested,
    Not,
    Param,
    Ref,
    Select,
    Self,
    SequenceDisplay,
    Term,
)
from trainlint.ir.order import belongs_to, made_within, within
from trainlint.ir.sketch import Exit, Function, If, Loop, Statement
from trainlint.ir.terms import closure, is_false, is_own, parts_of
from trainlint.ir.walk import is_assertion, roots, statements_of
from trainlint.program.call_graph import CallGraph, CallSite
from trainlint.program.callables import partial_of
from trainlint.program.consteval import truth
from trainlint.program.contexts import calling_contexts, own_then_called
from trainlint.program.heap import made_with
from trainlint.program.imports import imported
from trainlint.program.indirect_calls import Decorated
from trainlint.program.library_uses import Hooks
from trainlint.program.memo import remembered
from trainlint.program.object_identity import Identities, place_of
from trainlint.program.origins import reaching_definition
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import (
    Argument,
    ClassValue,
    Context,
    FunctionValue,
    Instance,
    Library,
    LibraryObject,
    Unresolved,
    Value,
)

_FORWARD = "forward"
_ADDS = ("append", "add_module", "extend", "insert")


def model_runs(program: Program, call: Call, frame: Context) -> list[FunctionValue]:
    """What runs in a call of a model that only its making tells of: an item of a list, one that was moved, or is in a wrapper."""
    return held_layers(program, call, frame) or list(wrapped(program, call.callee, frame))


def wrapped(program: Program, term: Term, frame: Context) -> Iterator[FunctionValue]:
    """What runs when a model is called that was moved to a device, or is in a wrapper: ``DDP(Net().to(device))``."""
    if not isinstance(term, (Call, Access, Param, Global, Select, LoopPhi)):
        return
    models = program.ask(Identities)
    for key in sorted(models.among(models.of(term, frame)), key=place_of):
        maker = models.makers.get(key)
        if isinstance(maker, Instance) and not is_no_module(program, maker):
            method = program.method(ClassValue(maker.module, maker.cls), _FORWARD)
            if method is not None:
                yield FunctionValue(method[0], method[1], maker)


def held_layers(program: Program, call: Call, frame: Context) -> list[FunctionValue]:
    """What runs in a call of an item of something that a module keeps."""
    if not isinstance(call.callee, (Element, Access, LoopPhi)):
        return []
    name = _kept_under(call.callee)
    owner = frame.owner()
    if name is None or not isinstance(owner, Instance):
        return []
    found: list[FunctionValue] = []
    for value in _layers(program, owner, name):
        method = program.method(ClassValue(value.module, value.cls), _FORWARD)
        if method is not None:
            found.append(FunctionValue(method[0], method[1], value))
    return list(dict.fromkeys(found))


def _kept_under(callee: Term) -> str | None:
    """The attribute of the object under which the container is kept that the callee was taken out of, at any depth."""
    term, depth = callee, 0
    while isinstance(term, (Element, Access, Call)):
        if isinstance(term, Attr) and isinstance(term.base, Self):
            return term.name if depth else None
        if isinstance(term, Call):
            given = term.args[0] if term.args and isinstance(term.callee, Ref) else None  # ``enumerate(self.blocks)``
            term = given if given is not None else term.callee
        else:
            term = term.stem
        depth += 1
    return None


def _layers(program: Program, owner: Instance, name: str) -> Iterator[Instance]:
    cls = ClassValue(owner.module, owner.cls)
    for path, function, value in program.stores(cls, name):
        frame = program.instance_frame(owner, path, function)
        for term in _made(value):
            yield from _modules(program, term, frame)
        for node in calls_of(function):
            callee = node.term.callee
            if isinstance(callee, Attr) and callee.name in _ADDS and (callee.base is value or is_own(callee.base, name)):
                for given in node.term.args:
                    for term in _made(given):
                        yield from _modules(program, term, frame)


def _made(value: Term) -> Iterator[Call]:
    """The calls in what is stored, also those that a comprehension makes in each round."""
    parts = closure((value,), lambda each: (each.item,) if isinstance(each, Comprehension) else each.subterms())
    return (part for part in parts if isinstance(part, Call))


def _modules(program: Program, call: Call, frame: Context) -> Iterator[Instance]:
    for value in program.values(call, frame):
        if isinstance(value, Instance) and not is_no_module(program, value):
            yield value


_SELF = "self"


class Root(NamedTuple):
    """A function that is traced.

    ``name`` is what traces it, ``word`` what the tables say of that. ``call`` has its options: ``jit(f, donate_argnums=0)``, the
    ``jit(donate_argnums=0)`` of a ``partial`` or a decorator, None for a bare decorator. ``frame`` is where that stands, and
    ``spot``.
    """

    target: FunctionValue
    word: str
    name: str
    call: Call | None
    frame: Context
    spot: Spot


class _Tracer(NamedTuple):
    """What traces, and the call that gives its options and no function yet."""

    name: str
    options: Call | None = None


class Roots:
    """Answers for one program, about what traces functions, or about what else runs those that it is given (``table``)."""

    def __init__(self, program: Program, table: Mapping[str, str] | None = None) -> None:
        self.program = program
        table = table if table is not None else program.knowledge.tables["tracing"]
        self.words = {name: str(said).partition(" ")[0] for name, said in table.items()}
        self._places = {name: str(said).split()[1:] or ["0"] for name, said in table.items()}
        self._named: list[str] = program.knowledge.tables["tracing.arguments"]["names"]
        self._runs: list[str] = program.knowledge.tables["tracing.runs"]["names"]
        self._same: list[str] = program.knowledge.tables["tracing.same"]["names"]
        self._found: dict[int, list[Root]] | None = None

    def of(self, function: Function) -> list[Root]:
        """What traces a function directly."""
        return self.all().get(id(function), [])

    def all(self) -> dict[int, list[Root]]:
        """Every traced function (by its id), with what traces it."""
        if self._found is None:
            self._found = {}
            for root in (*self._decorated(), *self._handed(), *self._hooked()):
                known = self._found.setdefault(id(root.target.function), [])
                if root not in known:
                    known.append(root)
        return self._found

    def word(self, value: Value) -> str | None:
        """What something of a library, or what made something, does with the function it is given; None if it takes none."""
        return self.words.get(value.name) if isinstance(value, (Library, LibraryObject)) else None

    def is_same(self, value: Value) -> bool:
        """Whether a function, called, runs the one that it was made of once, with the same arguments: ``vmap(f)``."""
        return isinstance(value, LibraryObject) and self.words.get(value.name) in self._same

    def inner(self, made: LibraryObject) -> Iterator[FunctionValue]:
        """The functions of the project that run when the result of such a call is called: of ``jit(f)`` it is ``f``."""
        return self._inner(made, ())

    def _inner(self, made: LibraryObject, around: tuple[Call, ...]) -> Iterator[FunctionValue]:
        if made.name in self.words and made.call is not None and made.frame is not None and made.call not in around:
            yield from self._functions(_Tracer(made.name), made.call, made.frame, (*around, made.call))

    def _tracers(self, value: Value) -> Iterator[_Tracer]:
        """What a value traces with: ``jit``, ``partial(jit, …)``, ``jit(…)`` that was given no function."""
        if isinstance(value, Library) and self._unmoved(value.name) in self.words:
            yield _Tracer(self._unmoved(value.name))
        partial = partial_of(value)
        if partial is not None:
            for inner in self.program.values(partial.callee, partial.frame):
                if isinstance(inner, Library) and inner.name in self.words:
                    yield _Tracer(inner.name, partial.applied)
        elif (
            isinstance(value, LibraryObject)
            and value.name in self.words
            and value.call is not None
            and self._is_open(value.call, value.frame)
        ):
            yield _Tracer(value.name, value.call)

    def _unmoved(self, name: str) -> str:
        """The name of a method as it is called where nothing was moved before: of ``Net().cuda().compile()``."""
        whole, _, last = name.rpartition(".")
        while whole.rpartition(".")[2] in self.program.knowledge.fluent:
            whole = whole.rpartition(".")[0]
        return f"{whole}.{last}" if whole else name

    def _is_open(self, call: Call, frame: Context | None) -> bool:
        """Whether a call gives options and no function yet, also through ``*args`` of nothing."""
        given = [each for each in call.args if frame is None or not frame.hands_on_nothing(each)]
        return not given and not any(name in self._named for name, _ in call.kwargs)

    def _decorated(self) -> Iterator[Root]:
        for module, function in self.program.functions():
            if not function.decorators:
                continue
            functions = self.program.modules[module].functions
            frame = self.program.frame(module, functions.get(function.outer or "<module>", functions["<module>"]))
            alone = self.program.frame(module, function)
            for index, (decorator, spot) in enumerate(zip(function.decorators, function.decorator_spots, strict=False)):
                for value in self.program.values(decorator, frame):
                    for made in self.applied(function, index, frame) if isinstance(value, FunctionValue) else ():
                        if isinstance(made, LibraryObject):
                            options = made.call and self._spread(made.call, made.frame or frame)
                            target = FunctionValue(module, function, alone.receiver, alone.closure)
                            yield Root(target, self.words[made.name], made.name, options, made.frame or frame, spot)
                    for tracer in self._tracers(value):
                        options = tracer.options and self._spread(tracer.options, frame)
                        for outer in (alone.closure, *self._closures(function, frame)):
                            target = FunctionValue(module, function, alone.receiver, outer)
                            yield Root(target, self.words[tracer.name], tracer.name, options, frame, spot)

    def applied(self, function: Function, index: int, frame: Context) -> list[Value]:
        """What a decorator of the project makes of a function, where that is traced or the function itself; else nothing."""
        made = [
            each
            for each in self.program.values(self.program.ask(Decorated).application(function, index), frame)
            if not self._is_itself(each, function.decorators[index], frame)
        ]
        ours = (self.inner(each) if isinstance(each, LibraryObject) else (each,) for each in made)
        return list(made) if all(any(getattr(one, "function", None) is function for one in each) for each in ours) else []

    def _is_itself(self, value: Value, decorator: Term, frame: Context) -> bool:
        """Whether a value is the decorator with options and no function yet: what it is where it is called with these alone."""
        partial = partial_of(value)
        inner = self.program.values(partial.callee, partial.frame) if partial is not None else ()
        named = self.program.values(decorator.callee if isinstance(decorator, Call) else decorator, frame)
        return any(isinstance(one, FunctionValue) and any(one == other for other in named) for one in inner)

    def _closures(self, function: Function, around: Context) -> Iterator[Context]:
        """The activations of the function around one that calls, or hands on, functions which only its callers know."""
        taken = (
            part for node in calls_of(function) for term in (node.term.callee, *node.term.args[:1]) for part in parts_of(term)
        )
        if any(isinstance(part, Param) and part.function == around.function.qualname for part in taken):
            yield from self._called_by(around)

    def _handed(self) -> Iterator[Root]:
        index = self.program.ask(CallGraph)
        seen: set[Term] = set()
        for name in sorted({dotted.rpartition(".")[2] for dotted in self.words}):
            for site in index.sites_named(name):
                call, frame = site.call.term, self.program.frame(site.module, site.function)
                if call in seen:
                    continue
                seen.add(call)
                for value in self.program.values(call.callee, frame):
                    for tracer in self._tracers(value):
                        named = () if tracer.options is None else tracer.options.kwargs
                        whole = Call.new(call.callee, call.args, (*named, *call.kwargs), call.site)
                        whole = self._spread(whole, frame)
                        for around in (frame, *self._activations(tracer, call, frame)):
                            for target in self._functions(tracer, call, around, (call,)):
                                yield Root(target, self.words[tracer.name], tracer.name, whole, around, call.site)

    def _hooked(self) -> Iterator[Root]:
        """The methods that a framework traces (table ``hooks``), unless their object is told not to be (``tracing.unless``)."""
        tables, asked = self.program.knowledge.tables, self.program.ask(Hooks)
        hooks = [(word, each) for word in sorted(set(self.words.values())) for each in asked.saying(word)]
        unless = frozenset(tables["tracing.unless"]["names"])
        sites = self.program.ask(CallGraph).sites_named("compile") if hooks else ()
        eager = [site for site in sites if any(name in unless and not is_false(value) for name, value in site.call.term.kwargs)]
        for word, (cls, function, name) in hooks:
            by = tables["tracing.by"].get(name.partition(".")[0])
            runs = any(dotted.partition(".")[0] == by for dotted in imported(self.program.modules[cls.module]))
            if runs and not any(self._is_perhaps_of(cls, site) for site in eager):
                frame = self.program.frame(cls.module, function)
                target = FunctionValue(cls.module, function, frame.receiver, frame.closure)
                yield Root(target, word, name, None, frame, function.spot)

    def _is_perhaps_of(self, cls: ClassValue, site: CallSite) -> bool:
        """Whether a call of a method may be one of an object of a class: of anything unknown in files that belong together."""
        callee, program = site.call.term.callee, self.program
        frames = own_then_called(program, site) if isinstance(callee, Attr) else ()
        objects = [each for frame in frames for each in program.values(callee.base, frame)] if isinstance(callee, Attr) else []
        if not objects or any(not isinstance(each, (Instance, LibraryObject)) for each in objects):
            return program.together(site.module, cls.module)
        owners = (ClassValue(each.module, each.cls) for each in objects if isinstance(each, Instance))
        return any(cls in program.lineage(owner) or owner in program.lineage(cls) for owner in owners)

    def _spread(self, call: Call, frame: Context) -> Call:
        """A call with the options that ``**options`` hands on, where these are written down."""
        if all(name is not None for name, _ in call.kwargs):
            return call
        options: list[tuple[str | None, Term]] = []
        for name, value in call.kwargs:
            made = reaching_definition(self.program, value, frame).term if name is None else value
            if isinstance(made, Kwargs):  # as they were given to the function around
                made = next((each.term for each in self.program.values(made, frame) if isinstance(each, Unresolved)), made)
            if name is None and isinstance(made, Dict) and all(isinstance(key, Const) for key, _ in made.items):
                options += [(str(key.value), each) for key, each in made.items if isinstance(key, Const)]
            elif name is None and made_with(made):
                options += [(str(at[1]), each) for at, each in made_with(made)]
            else:
                options.append((name, value))
        return Call.new(call.callee, call.args, tuple(options), call.site)

    def _activations(self, tracer: _Tracer, call: Call, frame: Context) -> Iterator[Context]:
        """The activations in which a function is handed on to what traces it, where only the callers know which it is."""
        given = self._given(tracer, call)
        if any(isinstance(part, Param) for term in given for part in parts_of(term)) and not any(
            True for _ in self._functions(tracer, call, frame, (call,))
        ):
            yield from self._called_by(frame)

    def _called_by(self, frame: Context) -> Iterator[Context]:
        """The activations of a function that callers in sight make, but for tests of software."""
        for each in calling_contexts(self.program, frame.module, frame.function):
            tests = (tests_software(self.program, made.module, made.function) for made in each.active())
            if each is not frame and not any(tests):
                yield each

    def _given(self, tracer: _Tracer, call: Call) -> list[Term]:
        """What a call hands to what traces it, each item of a list that is written down."""
        given = [value for name, value in call.kwargs if name in self._named]
        for place in self._places[tracer.name]:
            if place == _SELF:
                given += [call.callee.base] if isinstance(call.callee, Attr) else []
            elif len(call.args) > int(place):
                given.append(call.args[int(place)])
        return [item for term in given for item in (term.items if isinstance(term, SequenceDisplay) else (term,))]

    def _functions(self, tracer: _Tracer, call: Call, frame: Context, around: tuple[Call, ...]) -> Iterator[FunctionValue]:
        """The functions of the project that a call hands to what traces them."""
        for term in self._given(tracer, call):
            found = False
            for value in self.program.values(term, frame):
                for target in self._called(value, around):
                    found = True
                    yield target
            if not found:
                yield from wrapped(self.program, term, frame)

    def _called(self, value: Value, around: tuple[Call, ...]) -> Iterator[FunctionValue]:
        if isinstance(value, FunctionValue):
            yield value
        elif isinstance(value, Instance):
            methods = (self.program.method(ClassValue(value.module, value.cls), name) for name in self._runs)
            method = next((each for each in methods if each is not None), None)
            if method is not None:
                yield FunctionValue(method[0], method[1], value)
        elif (partial := partial_of(value)) is not None and partial.call not in around:
            for inner in self.program.values(partial.callee, partial.frame):
                for found in self._called(inner, (*around, partial.call)):
                    yield found._replace(given=(*found.given, Argument(partial.call, partial.frame)))
        elif isinstance(value, LibraryObject):
            yield from self._inner(value, around)


def mapped_over(program: Program) -> Roots:
    """The functions that run once for each item or leaf: ``map(f, items)``, ``jax.tree.map(f, tree)``."""
    each = (name for name, how in program.knowledge.applies.items() if how == "each")
    return Roots(program, dict.fromkeys((*each, *program.knowledge.tables["tracers.maps"]["names"]), "each"))


class Reached(NamedTuple):
    """A function that runs in a trace, in one activation; ``by`` is the call in ``before`` that runs it, None for the root."""

    module: str
    function: Function
    frame: Context
    root: Root
    by: CallSite | None = None
    before: Reached | None = None

    def way(self) -> list[CallSite]:
        """The calls from the function that is traced to this one."""
        return [step.by for step in self.chain() if step.by is not None][::-1]

    def chain(self) -> Iterator[Reached]:
        """The function and those that lead to it, up to the one that is traced."""
        step: Reached | None = self
        while step is not None:
            yield step
            step = step.before


def reached(program: Program, words: frozenset[str]) -> dict[int, Reached]:
    """The functions (by id) that something with one of these words traces, each by the shortest way to it."""
    found: dict[int, Reached] = {}
    queue: deque[Reached] = deque()
    for each in program.ask(Roots).all().values():
        root = next((root for root in each if root.word in words), None)
        if root is not None:
            queue.append(_begin(program, root))
    while queue:
        step = queue.popleft()
        if id(step.function) in found:
            continue
        found[id(step.function)] = step
        queue.extend(after for after in _called(program, step) if id(after.function) not in found)
    return found


def _begin(program: Program, root: Root) -> Reached:
    target = root.target
    alone = program.frame(target.module, target.function)
    frame = alone
    if target.receiver is not None or target.closure is not None:
        receiver = target.receiver if target.receiver is not None else alone.receiver
        frame = Context(target.module, target.function, receiver=receiver, closure=target.closure or alone.closure, alone=alone)
    return Reached(target.module, target.function, frame, root)


def _called(program: Program, step: Reached) -> Iterator[Reached]:
    """What a function calls, and the functions defined in it that it hands to a library (not those that then run outside)."""
    index = program.ask(CallGraph)
    outside: list[str] = program.knowledge.tables["tracing.outside"]["names"]
    for call in calls_of(step.function):
        site = CallSite(step.module, step.function, call)
        targets = index.targets(call.term, step.frame) or model_runs(program, call.term, step.frame)
        for target in targets:
            if isinstance(target, FunctionValue):
                follows = step.frame.follows(target.function)
                alone = program.frame(target.module, target.function)
                frame = program.enter(target, call.term, step.frame) if follows else alone
                yield Reached(target.module, target.function, frame, step.root, site, step)
        if any(isinstance(target, Library) and target.name not in outside for target in targets):
            for given in (*call.term.args, *(value for _, value in call.term.kwargs)):
                if isinstance(given, Nested):
                    for value in program.values(given, step.frame):
                        if isinstance(value, FunctionValue):
                            frame = Context(value.module, value.function, receiver=step.frame.receiver, closure=step.frame)
                            yield Reached(value.module, value.function, frame, step.root, site, step)


class Surely:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._phases = frozenset(program.knowledge.tables["phases"]["names"])
        self._plain = frozenset(program.knowledge.tables["dynamo.decorators"]["names"])
        self._errors: dict[int, set[tuple[Term, bool]]] = {}

    @remembered()
    def statements(self, function: Function) -> list[tuple[Statement, Led]]:
        """The statements of a function with what leads to each."""
        return list(walk_tested(function.body))

    def runs(self, led: Led, frame: Context, *, given: bool = True) -> bool:
        """Whether nothing but usual tests leads to a place: whether it trains, no error; with ``given``, what it was given."""
        checked = self._checked(frame.function)
        return all(
            not isinstance(test, Failed)
            and ((test, arm) in checked or (self._passes(test, arm, frame) and (given or not _asks_for_none(test))))
            for test, arm in led
        )

    def _checked(self, function: Function) -> set[tuple[Term, bool]]:
        """The tests that end in an error, each with the answer with which it goes on."""
        known = self._errors.get(id(function))
        if known is None:
            known = self._errors[id(function)] = set()
            for node, _ in self.statements(function):
                if isinstance(node, If):
                    arms = ((node.body, False), (node.orelse, True))
                    known.update((node.condition, other) for block, other in arms if block and _raises(block[-1]))
        return known

    def _passes(self, test: Term, arm: bool, frame: Context) -> bool:
        known = truth(self.program, test, frame)
        return known is arm if known is not None else self._is_usual(test)

    def _is_usual(self, test: Term) -> bool:
        if isinstance(test, Not):
            return self._is_usual(test.operand)
        if isinstance(test, BoolOp):
            return all(self._is_usual(part) for part in test.operands)
        if isinstance(test, Attr):
            return test.name in self._phases
        return bool(
            isinstance(test, Compare)
            and test.op in ("Is", "IsNot")
            and isinstance(test.right, Const)
            and test.right.value is None
        )

    @remembered()
    def reaches(self, step: Reached) -> bool:
        """Whether the call of what is traced surely comes to a function, through none that is left to somebody else."""
        if not self._is_plain(step):
            return False
        if step.by is None or step.before is None:
            return True
        led = next((led for node, led in self.statements(step.before.function) if node is step.by.call), None)
        return led is not None and self.runs(led, step.before.frame) and self.reaches(step.before)

    def _is_plain(self, step: Reached) -> bool:
        """Whether a function runs as it is written: nothing is put around it but what traces it."""
        function = step.function
        if not function.decorators:
            return True
        frame = self.program.frame(step.module, self.program.modules[step.module].functions["<module>"])
        for index, decorator in enumerate(function.decorators):
            made_of = decorator.callee if isinstance(decorator, Call) else decorator
            values = self.program.values(made_of, frame)
            plain = all(isinstance(value, Library) and value.name in self._plain for value in values)
            if not plain and not self.program.ask(Roots).applied(function, index, frame):
                return False
        return True

    @remembered()
    def conditions(self, function: Function) -> list[Term]:
        """What a function tests: in branches, loops and conditional expressions (an assertion is none)."""
        nodes = statements_of(function)
        found = [node.condition for node in nodes if isinstance(node, If) and not is_assertion(node)]
        found += [node.subject for node in nodes if isinstance(node, Loop) and node.kind == "while"]
        found += [part.test for node in nodes for root in roots(node) for part in parts_of(root) if isinstance(part, Select)]
        return list(dict.fromkeys(found))


def _asks_for_none(test: Term) -> bool:
    return any(isinstance(part, Compare) for part in parts_of(test))


def _raises(node: Statement) -> bool:
    return isinstance(node, Exit) and node.kind == "raise"


def is_about_round(program: Program, module: str, made: Call, given: Term, function: Function, loop: Loop) -> bool:
    """Whether what is traced is about the round of a loop: another function each time, or something of the round in it."""
    terms = [given, *made.args[1:], *(value for _, value in made.kwargs)]
    functions = program.modules[module].functions
    own = given.name if isinstance(given, Nested) else ""
    for name, each in functions.items() if own in functions else ():
        if name == own or name.startswith(f"{own}."):
            terms += [part for node in statements_of(each) for part in node if isinstance(part, Term)]
    return any(
        (isinstance(part, Element) and made_within(function, loop, part))
        or (isinstance(part, LoopPhi) and belongs_to(loop, part))
        or (isinstance(part, Call) and part is not given and within(function, loop, part))
        for part in parts_of(*terms)
    )
