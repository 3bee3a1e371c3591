"""Which functions a job runs: those that are reached from its script, call by call, and those that may be.

What is **run** is reached from the script. What is **around** stands in the files that the script imports, directly or through
others, without being seen to run: hooks that a framework calls, what is chosen by a name in a configuration.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from trainlint.app.preflight.instantiation.config_modules import Keyed
from trainlint.app.preflight.instantiation.targets import Aim, Making
from trainlint.app.preflight.instantiation.yaml_tags import Tags
from trainlint.app.preflight.line import Place, Way, after
from trainlint.app.preflight.running import implicit_calls
from trainlint.app.preflight.running.dynamic_imports import names
from trainlint.app.preflight.running.guards import (
    Arms,
    Round,
    arms_around,
    decorator_tests,
    is_kept,
    put_around,
    rounds_of,
    tested,
)
from trainlint.app.preflight.running.implicit_calls import Properties, commands, is_hook, spoken
from trainlint.app.preflight.running.imports import TOP, fillers, frameworks, imported_tops, is_source, stands_free
from trainlint.app.preflight.running.may_run import Living
from trainlint.app.preflight.settings.config_objects import Built, fields_of
from trainlint.app.preflight.settings.options import Options, switch, words_asked
from trainlint.app.preflight.values.constants import is_of_configuration, leaves_of
from trainlint.app.preflight.values.methods import methods_of, only_ones, overriding
from trainlint.app.preflight.values.words import handed, known, words_of
from trainlint.finding import Spot
from trainlint.ir import nodes
from trainlint.ir.control_dependence import conditions, raising_arms, walk_tested
from trainlint.ir.nodes import Attr, Call, Global, Ref, Term
from trainlint.ir.order import within
from trainlint.ir.sketch import CallStep, Function
from trainlint.program.call_graph import CallGraph
from trainlint.program.imports import imported, module_of
from trainlint.program.program import Program
from trainlint.program.values import ClassValue, Context, FunctionValue, Library


class Reach:
    """From one script; ``options`` says what its options are when nobody says anything."""

    def __init__(self, program: Program, path: str, options: Options, aim: Aim | None = None) -> None:
        self.program = program
        self.path = path
        self.options = options
        #: What a file has made that the job is handed.
        self.aim = aim
        #: Whether what trains is made by a name, and where its step is called then.
        self.is_chosen = False
        self.step: Spot | None = None
        self._index = program.ask(CallGraph)
        self.tags = Tags(program, path, options.launches)
        self.keyed = Keyed(program, path, options.launches)
        self._placed: dict[int, list[Place]] = {}
        self._made: dict[tuple[str, str], ClassValue] = {}
        self._properties = Properties(program, lambda: self.files)
        self._built = Built(program, lambda: self.files)
        self._overriding: dict[int, list[FunctionValue]] | None = None
        self._making = Making(program, aim)
        self._arms = Arms(program, options)
        #: What each function that runs (by id) calls, and whether in a loop; known once ``run`` is.
        self.led: dict[int, list[tuple[bool, FunctionValue]]] = {}
        options.files = lambda: self.files
        options.fields = lambda: fields_of(self._built)

    @cached_property
    def files(self) -> frozenset[str]:
        """The script and all files that it imports, directly or through others, by statements or by texts."""
        found = {self.path, *(self.aim.files if self.aim is not None else ())}
        waiting = sorted(found)
        while waiting:
            here = waiting.pop()
            targets = [module_of(self.program.finder, here, dotted) for dotted in imported(self.program.modules[here])]
            near = self.program.ask(names).of(here).files | self.tags.files(here) | self.keyed.files(here)
            for target in (*targets, *sorted(near), *fillers(self.program, targets)):
                if target is not None and target in self.program.modules and target not in found:
                    if self.is_framework(target):
                        continue
                    found.add(target)
                    waiting.append(target)
        return frozenset(found)

    @cached_property
    def by_name(self) -> frozenset[str]:
        """The files of the job that it names by texts: which of their classes it makes may be left to somebody else."""
        named = (self.program.ask(names).of(path).files | self.keyed.files(path) for path in self.files)
        return self.files.intersection(each for some in named for each in some)

    def is_framework(self, path: str) -> bool:
        """Whether a file is the source of a framework in whose repository the script lies, outside of its package.

        What its branches may do says nothing of the script: the job imports it as any job would.
        """
        return is_source(self.program, path, self.path, self.frameworks)

    @cached_property
    def frameworks(self) -> frozenset[str]:
        """The packages of the frameworks that may run a loop, and of those that loops are made with, by name."""
        return frameworks(self.program)

    # -- what runs -------------------------------------------------------------------------------------------------

    @cached_property
    def run(self) -> dict[int, Way]:
        """The functions (by id) that are reached from the script's top level, or as a command of another, each with how.

        They are looked for twice: which attributes are ever set, and behind which options, is only known from what runs; so are
        the objects whose methods run in place of those of their bases.
        """
        first = self._reached()
        self.options.learn({function: way.option for function, way in first.items()}, self._is_called)
        self._overriding = overriding(self.program, self._made.values())
        return self._reached()

    def _reached(self) -> dict[int, Way]:
        top = self.program.modules[self.path].functions[TOP]
        more = [(each.module, each.function) for each in self.program.ask(commands).get(self.path, ())]
        waiting: list[tuple[str, Function]] = [*self._imported.values(), (self.path, top), *more]
        found: dict[int, Way] = {id(each): Way() for _, each in waiting}
        while waiting:  # a function comes back only by a better way, of which there are few
            path, function = waiting.pop()
            before = found[id(function)]
            led = self.led[id(function)] = []
            for own, target in self._targets(path, function):
                if target.module in self.living.library and not self._may_live(target.module, target.function):
                    continue
                led.append((own.looped, target))
                way = decorator_tests(self.program, target, after(before, own))
                known = found.get(id(target.function))
                if known is None or way.beats(known):
                    found[id(target.function)] = way
                    waiting.append((target.module, target.function))
        return {each: way for each, way in found.items() if each not in self._imported}

    @cached_property
    def _imported(self) -> dict[int, tuple[str, Function]]:
        """The tops of files (by id) that run because the script imports them; of these only what nothing stands around."""
        return imported_tops(self.program, self.path, self.files)

    @cached_property
    def living(self) -> Living:
        """What may run of the packages that the script only uses."""
        return Living(self.program, self.path, self.files, self.program.ask(names).is_settled)

    def _targets(self, path: str, function: Function) -> Iterator[tuple[Way, FunctionValue]]:
        frame = self.program.frame(path, function)
        for call, way in self._led(path, function):
            if way is None:
                continue
            is_known = False
            if self._overriding is None:
                self._arms.take(call.term.callee, frame)
            for own in (*self.tags.made(path, call.term.callee), *self.keyed.made(call.term.callee)):
                yield from self._makes(way, own) if isinstance(own, ClassValue) else ((way, own),)
            for target in self._index.targets(call.term, frame):
                is_known = is_known or not self._built.is_parsed(target)
                if isinstance(target, FunctionValue):
                    yield self._arms.way(way, target), target
                    below = (self._overriding or {}).get(id(target.function), ())
                    yield from ((self._arms.way(way, each), each) for each in below)
            callee = call.term.callee
            for words, around in put_around(self.program, path, function, callee):
                yield way._replace(words=way.words | words), around
            values = self.program.values(callee, frame)
            for value in values:
                if isinstance(value, ClassValue):
                    is_known = True
                    yield from self._makes(self._arms.way(way, value), value)
            for own in self._built.targets(call.term, frame, is_known=is_known):
                is_known = True
                yield from ((way, own),) if isinstance(own, FunctionValue) else self._makes(way, own, is_plain=True)
            yield from ((way, own) for value in values if isinstance(value, Library) for own in self.keyed.methods(value))
            if not is_known and not any(isinstance(value, Library) for value in values):
                if isinstance(callee, Attr):
                    yield from ((way, each) for each in self._named.get(callee.name, ())[:1])
                for again, each in self._hooks(callee):
                    yield (way if again is None else way._replace(looped=again)), each
            yield from self._handed(call, way, frame) if id(function) not in self._imported else ()
        yield from self._read(path, function) if id(function) not in self._imported else ()
        for inner in self.program.modules[path].functions.values():
            if inner.outer == function.qualname and is_kept(self.program, path, inner):
                yield Way(self._defined_with(path, function, inner)), FunctionValue(path, inner, None)

    def _read(self, path: str, function: Function) -> Iterator[tuple[Way, FunctionValue]]:
        """The properties that a function reads: their bodies run, as if they were called."""
        loops, passed = list(rounds_of(function)), raising_arms(function.body)
        for each in self._properties.of(path, function):
            rounds = [loop for loop in loops if within(function, loop.spot, each.spot)]
            way = self._way(path, [led for led in conditions(each.led) if led not in passed], rounds)
            if way is not None:
                yield way, each.target
                yield from ((way, other) for other in (self._overriding or {}).get(id(each.target.function), ()))

    def _handed(self, call: CallStep, way: Way, frame: Context) -> Iterator[tuple[Way, FunctionValue]]:
        """What a call hands over: a launcher, a framework, a pool may run it, and make callbacks of classes.

        ``train.remote()`` runs ``train`` elsewhere.
        """
        callee = call.term.callee
        is_elsewhere = isinstance(callee, Attr) and callee.name in known(self.program, "runs-elsewhere")
        for given in (*handed(call.term), *((callee.base,) if isinstance(callee, Attr) and is_elsewhere else ())):
            if isinstance(given, (Global, nodes.Nested, Ref, Attr, Call, nodes.Subscript)):
                for each in self.program.values(given, frame):
                    if isinstance(each, FunctionValue):
                        own = way._replace(words=way.words | tested(self.program, frame.module, frame.function, callee))
                        yield (own._replace(looped=True) if implicit_calls.registers(callee) else own), each
        for cls in implicit_calls.handed_classes(self.program, call, frame):
            yield from self._makes(way, cls)

    def _hooks(self, callee: Term) -> Iterator[tuple[bool | None, FunctionValue]]:
        """The methods of callbacks that a call runs, once it is known which are made."""
        if self._overriding is not None:
            yield from implicit_calls.called_by_name(self.program, callee, list(self._made.values()), self.files)

    def _makes(self, way: Way, cls: ClassValue, *, is_plain: bool = False) -> Iterator[tuple[Way, FunctionValue]]:
        """The methods that run because a call makes an object, or has one made of what it is handed.

        ``is_plain``: what stands above its methods is no register of them.
        """
        self._made[cls.module, cls.cls.qualname] = cls
        known = self._overriding is not None
        if not known and way.option is None:
            self._arms.made(cls)
        for each in methods_of(self.program, cls, self.files, self.speaks_of, made_known=known, is_plain=is_plain):
            yield (way._replace(looped=True) if implicit_calls.is_called_again(each.function.name) else way), each

    def _defined_with(self, path: str, function: Function, inner: Function) -> str | None:
        """The option without which a function within another is not there."""
        tests = arms_around(function, inner, self.program.modules[path])
        return next((name for test, arm in tests if (name := self.options.off(test, arm, path)) is not None), None)

    def _led(self, path: str, function: Function) -> Iterator[tuple[CallStep, Way | None]]:
        """The calls of a function, each with what it takes to come there (of options the last); None: nothing leads there."""
        rounds = list(rounds_of(function))
        passed = raising_arms(function.body)
        for node, led in walk_tested(function.body):
            if not isinstance(node, CallStep) or (id(function) in self._imported and not stands_free(node)):
                continue
            tests = [each for each in conditions(led) if each not in passed]
            way = self._way(path, tests, [each for each in rounds if within(function, each.spot, node)], node.term)
            if way is None:
                yield node, None
                continue
            yield from ((each, way) for each in (node, *self._making.of(path, function, node)))

    def _way(self, path: str, tests: list[tuple[Term, bool]], around: list[Round], term: Call | None = None) -> Way | None:
        """What it takes to come to a place behind some tests, in some loops of its function; None: nothing leads there."""
        tests = [*tests, *(each.test for each in around if each.test is not None)]
        if any(self.options.is_never(test, arm, path) for test, arm in tests):
            return None
        option = next((name for test, arm in reversed(tests) if (name := self.options.off(test, arm, path))), None)
        if option is None and term is not None:
            option = next((name for each in tests if (name := switch(self.program, self.options, path, each, term))), None)
        words = frozenset(word for test, _ in tests for word in words_asked(self.program, self.options, test, path))
        left = (word for test, _ in tests if self._is_open(test, path) for word in words_of(self.program, test))
        last = next((name for test, arm in tests if arm and (name := self.options.in_other_rounds(test, path))), None)
        return Way(option, not last and bool(around), words, frozenset(left), last)

    @cached_property
    def _named(self) -> dict[str, list[FunctionValue]]:
        """The methods of the job's files whose name no other method has there, but for those that derived classes fill in."""
        return only_ones(self.program, self.files)

    def method(self, callee: Term) -> list[FunctionValue]:
        """The one method of the job's files that a method of an unknown object must be: see ``_named``."""
        return self._named.get(callee.name, [])[:1] if isinstance(callee, Attr) else []

    def _is_open(self, test: Term, path: str) -> bool:
        """Whether a configuration that is not there decides a test."""
        if self.options.default(test, path) is not None:
            return False
        name = self.options.name(test, path)
        if name is not None and self.options.is_given(name):
            return False
        if name is not None and self.options.is_held(name):
            return True
        return any(is_of_configuration(each) for each in leaves_of(test))

    def _may_live(self, path: str, function: Function) -> bool:
        """Whether a function of a library beside the script may run; where files say what is made, each of them may."""
        return self.aim is not None or self.tags.makes or self.living.holds(path, function)

    def _is_called(self, path: str, function: Function) -> bool:
        """Whether a function may be called: the files of the job speak of it, or a library calls it by its name."""
        if self._built.makes_with(path, function):
            return False  # it is not the one that the configurations begin with
        return self.speaks_of(function) or function.name.startswith("__") or is_hook(self.program, path, function)

    def speaks_of(self, function: Function) -> bool:
        """Whether anything in the files of the job calls or hands on something of a function's name."""
        return function.name in self._spoken

    @cached_property
    def _spoken(self) -> frozenset[str | None]:
        return spoken(self.program, self.files)
