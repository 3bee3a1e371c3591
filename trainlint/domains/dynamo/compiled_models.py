"""Models that ``torch.compile`` returned: their saved names, what is compiled again in each round, and errors that are hidden."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Literal, NamedTuple

from trainlint.domains.checkpoints.saves import Save, Written
from trainlint.edits.changes import Change, Rewrite
from trainlint.finding import Applicability, Spot
from trainlint.ir.bindings import held_at_end
from trainlint.ir.control_dependence import Failed, Led, walk_tested
from trainlint.ir.nodes import (
    LITERALS,
    Access,
    Asserted,
    Attr,
    BoolOp,
    Call,
    Const,
    Dict,
    Element,
    Entered,
    Global,
    LoopPhi,
    Nested,
    Param,
    Ref,
    Select,
    Self,
    Term,
)
from trainlint.ir.order import made_within, within
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import CallStep, Function, If, Loop, Store, Try
from trainlint.ir.terms import container_of, dotted_name, parts_of
from trainlint.ir.walk import of_kind, walk
from trainlint.program.call_graph import CallGraph, CallSite, is_own_call, last_name
from trainlint.program.consteval import is_constant
from trainlint.program.def_use import Uses
from trainlint.program.inlining import inlined
from trainlint.program.loops import Loops, Pass
from trainlint.program.origins import origins
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import in_tests, tests_software
from trainlint.program.sources import arguments_of, reached
from trainlint.program.values import Argument, Context, Library, LibraryObject, Unresolved

_COMPILES = "compiles"
#: What a wrapper's call makes of the model that it is given first, by the tables ``parallel`` and ``kinds``.
_WRAPPERS = frozenset(("ddp", "fsdp", "fsdp2", "wrapper"))


class CompiledModels:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        knowledge = program.knowledge
        self.words = knowledge.tables["dynamo"]
        self.names = frozenset(name for name, word in self.words.items() if word == _COMPILES)
        self._same = knowledge.fluent | knowledge.evaluates | knowledge.ends_evaluation
        self._keeps = frozenset(knowledge.tables["dynamo.inside"]["names"])
        self._leaves_on = frozenset(knowledge.tables["dynamo.leaves_on"]["names"])

    def of(self, term: Term, frame: Context) -> list[LibraryObject]:
        """The calls that may have made what a term stands for, a module around a model; not what a wrapper of it holds."""
        made = (value for each in reached(self.program, term, frame, self._around) for value in self.program.values(*each))
        compiled = (value for value in made if isinstance(value, LibraryObject) and self._compiles(value))
        return list(dict.fromkeys(compiled))

    def _compiles(self, value: LibraryObject) -> bool:
        return value.name in self.names and value.call is not None and bool(value.call.args)

    def _around(self, term: Term, frame: Context) -> list[Argument] | None:
        """The model that an expression gives back: a method, what takes a wrapper off, a library that prepares it."""
        if isinstance(term, Attr) and term.name in self.program.knowledge.unwraps and not isinstance(term.base, Self):
            return self._inside(term.base, frame)
        if isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name in self._same:
            return [Argument(term.callee.base, frame)]
        if isinstance(term, Call):
            values = self.program.values(term, frame)
            made = [value for value in values if isinstance(value, LibraryObject) and value.call is term]
            if self._is_left_on(term, frame):
                return [Argument(term.args[0], frame), *self._inside(term.args[0], frame)]
            if any(map(self._prepares, made)):
                return [Argument(term.args[0], frame)]
        return None if isinstance(term, (Select, BoolOp, Param, Access, Global, Call, Asserted, Entered)) else []

    def _is_left_on(self, call: Call, frame: Context) -> bool:
        """Whether a call takes other wrappers off a model, and leaves it compiled."""
        if not call.args or last_name(call.callee) not in self.program.knowledge.unwrapping or self._takes_off(call):
            return False
        values = self.program.values(call.callee, frame)
        return any(isinstance(value, Library) and value.name in self._leaves_on for value in values)

    def _inside(self, term: Term, frame: Context) -> list[Argument]:
        """The compiled model in a wrapper."""
        knowledge = self.program.knowledge
        found: list[Argument] = []
        for value in self.program.values(term, frame):
            if not isinstance(value, LibraryObject) or value.name in self.names:
                continue
            if {knowledge.parallel.get(value.name), knowledge.kinds.get(value.name)} & _WRAPPERS:
                found += arguments_of(value)[:1]
        return found

    def _prepares(self, value: LibraryObject) -> bool:
        """Whether a library hands back the model that it was given, in a wrapper or not."""
        call = value.call
        return self.program.knowledge.kinds.get(value.name) == "prepared" and call is not None and len(call.args) == 1

    def _takes_off(self, call: Call) -> bool:
        """Whether somebody who takes wrappers off is told to take this one off, too."""
        return any(name in self._keeps for name, _ in call.kwargs)


_LOADS = "load_state_dict"


class Prefixed(NamedTuple):
    """A state that is taken of a compiled model, and saved.

    ``compiled`` is where the model was compiled, ``cleaners`` where the keys of a state lose the prefix of another wrapper, and
    not this one.
    """

    module: str
    state: Call
    statement: Spot
    compiled: LibraryObject
    saved: CallSite
    cleaners: tuple[CallSite, ...]
    change: Change | None


class _Search:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.models = program.ask(CompiledModels)
        self.taken = frozenset(program.knowledge.tables["checkpoints.taken"]["names"])
        self.prefix: str = program.knowledge.tables["dynamo.prefix"]["name"]
        self._aware: dict[str, bool] = {}

    def all(self) -> Iterator[Prefixed]:
        index = self.program.ask(CallGraph)
        if not any(index.sites.get(name.rpartition(".")[2]) for name in self.models.names):
            return
        seen: set[Term] = set()
        for save in self.program.ask(Written).saves:
            site = save.site
            if tests_software(self.program, site.module, site.function):
                continue
            for state, frame in self._states(save):
                made = self.models.of(state.callee.base, frame) if isinstance(state.callee, Attr) else ()
                if not made or state in seen or is_own_call(self.program, state, frame):
                    continue
                seen.add(state)
                if self._knows(frame.module) or self._comes_back(made[0]):
                    continue
                yield self._found(save, state, frame, made[0])

    def _found(self, save: Save, state: Call, frame: Context, made: LibraryObject) -> Prefixed:
        statement = next((node.statement for node in calls_of(frame.function) if node.term is state), Spot(*state.site))
        cleaners = tuple(self._cleaners(frame.module))
        return Prefixed(frame.module, state, statement, made, save.site, cleaners, self._change(state, frame, made))

    # -- what is saved ---------------------------------------------------------------------------------------------

    def _states(self, save: Save) -> Iterator[tuple[Call, Context]]:
        """The calls that hand out what is saved, by itself or in a dict, also in a function that returns it."""
        parts = [Argument(save.given, save.frame)]
        parts += chain.from_iterable(chain(*found.items.values()) for found in self.program.ask(Written).contents(save))
        for term, frame in (made for part in parts for made in origins(self.program, *part)):
            if isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name in self.taken and not term.args:
                yield term, frame

    # -- what is known of the prefix -------------------------------------------------------------------------------

    def _knows(self, module: str) -> bool:
        """Whether somebody around knows of the prefix: takes it off, or takes the model out."""
        component = self.program.component(module)
        known = self._aware.get(component)
        if known is None:
            known = self._aware[component] = any(
                self._mentions(path) for path in self.program.modules if self.program.component(path) == component
            )
        return known

    def _mentions(self, path: str) -> bool:
        module = self.program.modules[path]
        held = chain(module.names.values(), *(held_at_end(function).values() for function in module.functions.values()))
        defaults = chain.from_iterable(function.defaults.values() for function in module.functions.values())
        return any(self._speaks(term) for term in chain(self.program.ask(Uses).parents(path).of, held, defaults))

    def _speaks(self, term: Term) -> bool:
        if isinstance(term, Const):
            return isinstance(term.value, str) and f"{self.prefix}." in f"{term.value}."
        return bool(isinstance(term, Attr) and term.name == self.prefix)

    def _comes_back(self, made: LibraryObject) -> bool:
        """Whether the model is compiled in every run, and given its state back as that: such files fit it."""
        assert made.call is not None
        assert made.frame is not None
        if _is_optional(made.frame.function, made.call):
            return False
        for site in self.program.ask(CallGraph).sites.get(_LOADS, ()):
            callee = site.call.term.callee
            if isinstance(callee, Attr) and site.call.term.args and self.program.together(site.module, made.frame.module):
                frame = self.program.frame(site.module, site.function)
                in_memory = self._is_in_memory(site.call.term.args[0])
                if not in_memory and any(each.call is made.call for each in self.models.of(callee.base, frame)):
                    return True
        return False

    def _is_in_memory(self, given: Term) -> bool:
        """Whether a state was never in a file: it was put aside in the same run."""
        given = container_of(given)
        if isinstance(given, Dict):
            return True
        return isinstance(given, Call) and any(
            last_name(part.callee) in self.taken for part in parts_of(given) if isinstance(part, Call)
        )

    def _cleaners(self, module: str) -> Iterator[CallSite]:
        """Where keys lose the prefix of another wrapper."""
        tables = self.program.knowledge.tables
        prefixes = {name + end for name in self.program.knowledge.unwraps for end in ("", ".")}
        for name in tables["dynamo.cleans"]["names"]:
            for site in self.program.ask(CallGraph).sites.get(name, ()):
                given = site.call.term.args
                if (
                    given
                    and isinstance(given[0], Const)
                    and given[0].value in prefixes
                    and self.program.together(site.module, module)
                ):
                    yield site

    def _change(self, state: Call, frame: Context, made: LibraryObject) -> Change | None:
        """Take the state of the model inside; where no state comes back into the compiled one."""
        if not isinstance(state.callee, Attr):
            return None
        said = name_in(state.callee.base, frame.function)
        if said is None or state.args or state.kwargs or self._is_given_any(made):
            return None
        code = f'getattr({{0}}, "{self.prefix}", {{0}}).{state.callee.name}()'
        message = "Save the state dict of the original model"
        applicability = Applicability.UNSAFE if any(self._loads_unknown(made)) else Applicability.SAFE
        return Rewrite(applicability, message, spot=state.site, code=code, paths=((("receiver", 0),),))

    def _is_given_any(self, made: LibraryObject) -> bool:
        return any(self.models.of(receiver, frame) for receiver, frame in self._loads(made))

    def _loads_unknown(self, made: LibraryObject) -> Iterator[bool]:
        """Of each load of a state, whether it may be into the compiled model, whose keys it then has to have."""
        for receiver, frame in self._loads(made):
            values = self.program.values(receiver, frame)
            yield not values or any(isinstance(value, Unresolved) for value in values)

    def _loads(self, made: LibraryObject) -> Iterator[Argument]:
        """What states are loaded into, in the program in which the model is compiled."""
        assert made.frame is not None
        for site in self.program.ask(CallGraph).sites.get(_LOADS, ()):
            callee = site.call.term.callee
            if isinstance(callee, Attr) and self.program.together(site.module, made.frame.module):
                yield Argument(callee.base, self.program.frame(site.module, site.function))


def _is_optional(function: Function, call: Call) -> bool:
    """Whether a test decides whether a function makes a call."""
    return any(within(function, node, call) for node in of_kind(function, If))


def prefixed(program: Program) -> Iterator[Prefixed]:
    """Each state of a compiled model that is saved as it is, where nobody knows of its prefix."""
    yield from _Search(program).all()


_BACKEND = "backend"
_WORDS = ("compiles", "forgets")


class Again(NamedTuple):
    """A call in a training loop; ``why``: "option" (it changes with the round), "backend" (a fresh one), "reset"."""

    module: str
    call: CallStep
    why: Literal["option", "backend", "reset"]
    loop: Spot


def compiled_again(program: Program) -> Iterator[Again]:
    """Each such call, once."""
    words = program.knowledge.tables["dynamo"]
    index = program.ask(CallGraph)
    names = {name.rpartition(".")[2] for name, word in words.items() if word in _WORDS}
    wanted: dict[tuple[str, Spot], str] = {}
    for name in sorted(names):
        for site in index.sites.get(name, ()):
            frame = program.frame(site.module, site.function)
            for value in program.values(site.call.term.callee, frame):
                word = words.get(value.name) if isinstance(value, Library) else None
                if word in _WORDS:
                    wanted[site.module, site.call.term.site] = str(word)
    if not wanted:
        return
    seen: set[tuple[str, Spot]] = set()
    for each in program.ask(Loops).training_passes():
        # What is written down ends after a few rounds.
        if isinstance(each.subject, LITERALS) or in_tests(each.module) or tests_software(program, each.module, each.function):
            continue
        whole = program.ask_of(inlined, (each.module, each.function, None))
        body = next((loop.body for loop in of_kind(whole.function, Loop) if loop.spot == each.spot), each.body)
        calls = [node for node in walk(body) if isinstance(node, CallStep)]
        places = [(whole.path(node.term.site), node.term.site) for node in calls]
        compiles = any(wanted.get(place) == "compiles" for place in places)
        for node, place in zip(calls, places, strict=True):
            word = wanted.get(place)
            if word is None or place in seen:
                continue
            reset: Literal["reset"] | None = None if compiles else "reset"  # a round that compiles its own model begins with one
            why = reset if word == "forgets" else _changes(node.term, each._replace(function=whole.function))
            if why is not None:
                seen.add(place)
                yield Again(place[0], node, why, each.spot)


def _changes(call: Call, each: Pass) -> Literal["option", "backend"] | None:
    """What is another thing in each round: an option that the loop hands out, a backend that is defined there."""
    for name, value in call.kwargs:
        if name == _BACKEND and isinstance(value, Nested) and "<lambda" in value.name:
            return "backend"
        for part in parts_of(value):
            if isinstance(part, Element) and made_within(each.function, each.spot, part):
                return "option"
            if isinstance(part, LoopPhi) and (part.line, part.column) == each.spot[:2]:
                return "option"
    return None


_HIDES, _OFF = "hides", "off"


class Hidden(NamedTuple):
    """The statement that turns it on."""

    module: str
    store: Store


def hidden(program: Program) -> Iterator[Hidden]:
    """Each statement that hides errors for good, told to nobody and asked for by no name."""
    for module, function in program.functions():
        if not any(_word(program, node) == _HIDES for node in of_kind(function, Store)):
            continue
        stores = [(node, led) for node, led in walk_tested(function.body) if isinstance(node, Store)]
        frame = program.frame(module, function)
        stores = [(node, led) for node, led in stores if is_constant(program, node.value, frame, True)]
        words = {_word(program, node) for node, _ in stores}
        for node, led in stores:
            if _word(program, node) != _HIDES or _OFF in words:
                continue
            if in_tests(module) or tests_software(program, module, function) or _is_undone(program, module):
                continue
            if not _is_known(program, function, led, node):
                yield Hidden(module, node)


def _word(program: Program, node: Store) -> str | None:
    if not isinstance(node.target, (Attr, Ref)):
        return None
    dotted = dotted_name(node.target)
    return program.knowledge.tables["dynamo"].get(program.knowledge.canonical(dotted)) if dotted is not None else None


def _is_undone(program: Program, module: str) -> bool:
    """Whether the file sets it to something else as well: it is on for a while, or as somebody says."""
    return any(
        _word(program, node) == _HIDES and not is_constant(program, node.value, program.frame(module, function), True)
        for function in program.modules[module].functions.values()
        for node in of_kind(function, Store)
    )


def _is_known(program: Program, function: Function, led: Led, hiding: Store) -> bool:
    """Whether somebody is told, or asked for it: by the name of a test or function, or in a handler of an error."""
    words = frozenset(program.knowledge.tables["dynamo.asked"]["names"])
    tells = program.knowledge.tables["dynamo.tells"]["names"]
    if any(isinstance(test, Failed) or _speaks(test, words) for test, _ in led):
        return True
    if any(hiding in walk(handler) for node in of_kind(function, Try) for handler in node.handlers):
        return True
    for arm in (walk(block) for node in of_kind(function, If) for block in (node.body, node.orelse)):
        if hiding in arm and any(isinstance(each, CallStep) and last_name(each.term.callee) in tells for each in arm):
            return True
    if any(word in function.qualname.lower() for word in words):
        return True
    sites = [site for site in program.ask(CallGraph).callers(function) if site.function is not function]
    return bool(sites) and all(_is_led_by_name(site, words) for site in sites)


def _speaks(test: Term, words: frozenset[str]) -> bool:
    names = (
        str(part.value if isinstance(part, Const) else part.name).lower()
        for part in parts_of(test)
        if isinstance(part, (Param, Attr, Global, Ref, Const))
    )
    return any(word in name for name in names for word in words)


def _is_led_by_name(site: CallSite, words: frozenset[str]) -> bool:
    """Whether a test that leads to a call has one of the words."""
    led = next((conditions for node, conditions in walk_tested(site.function.body) if node is site.call), ())
    return any(isinstance(test, Failed) or _speaks(test, words) for test, _ in led)
