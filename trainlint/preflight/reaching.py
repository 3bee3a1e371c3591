"""Which functions a job runs: those that are reached from its script, call by call, and those that may be.

What is **run** is reached from the script. What is **around** stands in the files that the script imports, directly or through
others, without being seen to run: hooks that a framework calls, what is chosen by a name in a configuration.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cached_property

from trainlint.facts.calls import calls, last_name
from trainlint.facts.components import imported, module_of
from trainlint.facts.program import Program, calls_of
from trainlint.facts.uses import is_comprehension
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Library
from trainlint.model.sketch import Call, Function, Loop
from trainlint.model.terms import Term, parts_of
from trainlint.model.tested import conditions, raising_arms, walk_tested
from trainlint.model.walk import of_kind
from trainlint.preflight import hooks
from trainlint.preflight.elsewhere import Elsewhere
from trainlint.preflight.known import known
from trainlint.preflight.living import Living, folders
from trainlint.preflight.methods import methods_of, only_ones, overriding
from trainlint.preflight.named import names
from trainlint.preflight.nested import Nested, arms_around
from trainlint.preflight.options import Options
from trainlint.preflight.spoken import is_hook, spoken
from trainlint.preflight.subcommands import commands
from trainlint.preflight.unsaid import chain_of, constants, is_of_configuration, leaves_of
from trainlint.preflight.ways import Place, Way, after
from trainlint.preflight.words import handed, split, words_of

#: Functions of a run, and how often one is looked at again.
_MOST = 4_000


class Reach:
    """From one script; ``options`` says what its options are when nobody says anything."""

    def __init__(self, program: Program, path: str, options: Options) -> None:
        self.program = program
        self.path = path
        self.options = options
        #: Whether what trains is made by a name.
        self.is_chosen = False
        self._index = calls(program)
        self._mentions: dict[str, Nested] = {}
        self._made: dict[tuple[str, str], ClassValue] = {}
        self._overriding: dict[int, list[FunctionValue]] | None = None
        #: What each function that runs (by id) calls, and whether in a loop; known once ``run`` is.
        self.led: dict[int, list[tuple[bool, FunctionValue]]] = {}
        options.files = lambda: self.files

    @cached_property
    def files(self) -> frozenset[str]:
        """The script and all files that it imports, directly or through others, by statements or by texts."""
        found, waiting = {self.path}, [self.path]
        while waiting:
            here = waiting.pop()
            targets = [module_of(self.program.finder, here, dotted) for dotted in imported(self.program.modules[here])]
            for target in (*targets, *sorted(names(self.program).of(here).files)):
                if target is not None and target in self.program.modules and target not in found:
                    if self.is_framework(target):
                        continue
                    found.add(target)
                    waiting.append(target)
        return frozenset(found)

    @cached_property
    def by_name(self) -> frozenset[str]:
        """The files of the job that it names by texts: which of their classes it makes may be left to somebody else."""
        return self.files.intersection(each for path in self.files for each in names(self.program).of(path).files)

    def is_framework(self, path: str) -> bool:
        """Whether a file is the source of a framework in whose repository the script lies, outside of its package.

        What its branches may do says nothing of the script: the job imports it as any job would.
        """
        folder = next((part for part in folders(path) if part.rpartition(os.sep)[2] in self.frameworks), None)
        if folder is None or self.path.startswith(folder + os.sep):
            return False
        return f"{folder}{os.sep}__init__.py" in self.program.finder.files

    @cached_property
    def frameworks(self) -> frozenset[str]:
        """The packages of the frameworks that may run a loop, and of those that loops are made with, by name."""
        tables = self.program.knowledge.tables
        names = (*tables["preflight.trains"], *tables["preflight.engines"], *known(self.program, "packages"))
        return frozenset(name.partition(".")[0] for name in names)

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
        top = self.program.modules[self.path].functions["<module>"]
        more = [(each.module, each.function) for each in commands(self.program).get(self.path, ())]
        waiting: list[tuple[str, Function]] = [(self.path, top), *more]
        found: dict[int, Way] = {id(each): Way() for _, each in waiting}
        steps = 0
        while waiting and steps < _MOST:
            steps += 1
            path, function = waiting.pop()
            before = found[id(function)]
            led = self.led[id(function)] = []
            for own, target in self._targets(path, function):
                if target.module in self.living.library and not self.living.holds(target.module, target.function):
                    continue
                led.append((own.looped, target))
                way = after(before, own)
                known = found.get(id(target.function))
                if known is None or way.beats(known):
                    found[id(target.function)] = way
                    waiting.append((target.module, target.function))
        return found

    @cached_property
    def living(self) -> Living:
        """What may run of the packages that the script only uses."""
        return Living(self.program, self.path, self.files, names(self.program).is_settled)

    def runs_at(self, path: str, line: int) -> bool:
        """Whether the innermost function around a line is reached."""
        around = [each for each in self.program.modules[path].functions.values() if each.spot[0] <= line <= each.spot[2]]
        inner = max(around, key=lambda each: each.spot[:2], default=None)
        return inner is None or inner.name == "<module>" or id(inner) in self.run

    def option_at(self, path: str, line: int) -> str | None:
        """The option, off unless it is said, without which nothing runs that a line calls."""
        options = [each.way.option for each in self._by_line.get((path, line), ()) if each.way is not None]
        return options[0] if options and None not in options else None

    @cached_property
    def _by_line(self) -> dict[tuple[str, int], list[Place]]:
        found: dict[tuple[str, int], list[Place]] = {}
        for place in self.places:
            found.setdefault((place.module, place.spot.line), []).append(place)
        return found

    def _targets(self, path: str, function: Function) -> Iterator[tuple[Way, FunctionValue]]:
        frame = self.program.frame(path, function)
        for call, way in self._led(path, function):
            if way is None:
                continue
            is_known = False
            for target in self._index.targets(call.term, frame):
                is_known = True
                if isinstance(target, FunctionValue):
                    yield way, target
                    yield from ((way, each) for each in (self._overriding or {}).get(id(target.function), ()))
            callee = call.term[1]
            values = self.program.values(callee, frame)
            for value in values:
                if isinstance(value, ClassValue):
                    is_known = True
                    yield from self._makes(way, value)
            if not is_known and not any(isinstance(value, Library) for value in values):
                if callee[0] == "a":
                    yield from ((way, each) for each in self._named.get(callee[2], ())[:1])
                for again, each in self._hooks(callee):
                    yield (way if again is None else way._replace(looped=again)), each
            yield from self._handed(call, way, frame)
        for inner in self.program.modules[path].functions.values():
            if inner.outer == function.qualname and self._nested(path).is_kept(inner):
                yield Way(self._defined_with(path, function, inner)), FunctionValue(path, inner, None)

    def _handed(self, call: Call, way: Way, frame: Frame) -> Iterator[tuple[Way, FunctionValue]]:
        """What a call hands over: a launcher, a framework, a pool may run it, and make callbacks of classes.

        ``train.remote()`` runs ``train`` elsewhere.
        """
        callee = call.term[1]
        elsewhere = callee[0] == "a" and callee[2] in known(self.program, "runs-elsewhere")
        for given in (*handed(call.term), *((callee[1],) if elsewhere else ())):
            if given[0] in ("g", "fn", "r", "a", "call"):
                for each in self.program.values(given, frame):
                    if isinstance(each, FunctionValue):
                        yield (way._replace(looped=True) if hooks.registers(callee) else way), each
        for cls in hooks.handed_classes(self.program, call, frame):
            yield from self._makes(way, cls)

    def _hooks(self, callee: Term) -> Iterator[tuple[bool | None, FunctionValue]]:
        """The methods of callbacks that a call runs, once it is known which are made."""
        if self._overriding is not None:
            yield from hooks.called_by_name(self.program, callee, list(self._made.values()), self.files)

    def _makes(self, way: Way, cls: ClassValue) -> Iterator[tuple[Way, FunctionValue]]:
        """The methods that run because a call makes an object, or has one made of what it is handed."""
        self._made[cls.module, cls.cls.qualname] = cls
        for each in methods_of(self.program, cls, self.files, self.speaks_of, made_known=self._overriding is not None):
            yield (way._replace(looped=True) if hooks.is_called_again(each.function.name) else way), each

    def _nested(self, path: str) -> Nested:
        """What is said of the functions within functions of a file."""
        if path not in self._mentions:
            self._mentions[path] = Nested(self.program.modules[path])
        return self._mentions[path]

    def _defined_with(self, path: str, function: Function, inner: Function) -> str | None:
        """The option without which a function within another is not there."""
        tests = arms_around(function, inner, self.program.modules[path])
        return next((name for test, arm in tests if (name := self.options.off(test, arm, path)) is not None), None)

    def _led(self, path: str, function: Function) -> Iterator[tuple[Call, Way | None]]:
        """The calls of a function, each with what it takes to come there (of options the last); None: nothing leads there."""
        rounds = [
            loop.spot for loop in of_kind(function, Loop) if not is_comprehension(loop) and not hooks.is_over_hooks(loop.subject)
        ]
        passed = raising_arms(function.body)
        for node, led in walk_tested(function.body):
            if not isinstance(node, Call):
                continue
            tests = [each for each in conditions(led) if each not in passed]
            if any(self.options.is_never(test, arm, path) for test, arm in tests):
                yield node, None
                continue
            option = next((name for test, arm in reversed(tests) if (name := self.options.off(test, arm, path))), None)
            option = option or next((name for each in tests if (name := self._switch(path, each, node.term))), None)
            words = frozenset(word for test, _ in tests for word in self._words(test, path))
            left = (word for test, _ in tests if self._is_open(test, path) for word in words_of(self.program, path, test))
            last = next((name for test, arm in tests if arm and (name := self.options.in_other_rounds(test, path))), None)
            yield node, Way(option, not last and any(spot.holds(node.term[4]) for spot in rounds), words, frozenset(left), last)

    def _words(self, test: Term, path: str) -> Iterator[str]:
        """The words of a test, and of what the attributes that it asks are always set to: ``self.saves = rank == 0``."""
        yield from words_of(self.program, path, test)
        for each in leaves_of(test):
            origins = self.options.set_to(each[1], each[2], path) if each[0] == "a" else ()
            found = [
                frozenset(words_of(self.program, origin.module, origin.value))
                for origin in origins
                if origin.value is not None and origin.value[0] != "c"
            ]
            yield from frozenset.intersection(*found) if found else ()

    def _switch(self, path: str, tested: tuple[Term, bool], call: Term) -> str | None:
        """The constant at the top of a file without which a test does not lead to a call: ``wandb_log = False``.

        Tests at the top level hold the constant's value, and not its name: there it is one that speaks of what is called.
        """
        test, arm = tested
        leaves = [test] if test[0] != "and" else list(test[1])
        if not arm:
            return None
        for each in leaves:
            if each[0] == "g" and each[1] in self.options.switches(path):
                return str(each[1])
        if not any(each[0] == "c" and each[2] is False for each in leaves):
            return None
        said = frozenset(words_of(self.program, path, call[1]))
        return next((name for name in self.options.switches(path) if not said.isdisjoint(split(name))), None)

    @cached_property
    def _named(self) -> dict[str, list[FunctionValue]]:
        """The methods of the job's files whose name no other method has there, but for those that derived classes fill in."""
        return only_ones(self.program, self.files)

    def method(self, callee: Term) -> list[FunctionValue]:
        """The one method of the job's files that a method of an unknown object must be: see ``_named``."""
        return self._named.get(callee[2], [])[:1] if callee[0] == "a" else []

    def configured(self, term: Term) -> tuple[object] | None:
        """What a configuration in Python says: ``_C.DATA.NUM_WORKERS = 8`` for ``config.DATA.NUM_WORKERS``."""
        chain = chain_of(term)
        for count in range(len(chain), 0, -1):
            found = self._configured.get(chain[-count:], ())
            if found:
                return (found[0],) if len(set(map(repr, found))) == 1 else None
        return None

    @cached_property
    def _configured(self) -> dict[tuple[str, ...], list[object]]:
        return constants(self.program, self.files)

    def _is_open(self, test: Term, path: str) -> bool:
        """Whether a configuration that is not there decides a test."""
        if self.options.default(test, path) is not None:
            return False
        name = self.options.name(test, path)
        if name is not None and self.options.is_given(name):
            return False
        if name is not None and self.options.is_held(name):
            return True
        return any(is_of_configuration(each) and self.configured(each) is None for each in leaves_of(test))

    # -- what is asked ---------------------------------------------------------------------------------------------

    @cached_property
    def places(self) -> list[Place]:
        """All calls and decorators in the files of the trail, each with whether and how it is seen to run."""
        found = []
        for path in sorted(self.files):
            for function in self.program.modules[path].functions.values():
                before = self.run.get(id(function))
                if before is None and (self._is_idle(function) or not self.living.holds(path, function)):
                    continue
                for call, own in self._led(path, function):
                    way = None if before is None or own is None else after(before, own)
                    found.append(Place(path, function, call.term, call.term[4], way))
                for term, spot in zip(function.decorators, function.decorator_spots, strict=False):
                    found.append(Place(path, function, term, spot, before))
        return found

    @cached_property
    def open_part(self) -> Place | None:
        """The call that makes a part of the job by a name which may mean what is not seen."""
        return Elsewhere(self.program, lambda: self.files, self.options.origins).first(self.places)

    @property
    def is_dynamic(self) -> bool:
        """Whether the job makes parts of itself by names that may mean what is not seen."""
        return self.is_chosen or self.open_part is not None

    def _is_by_name(self, path: str, function: Function, term: Term) -> bool:
        """Whether a call finds something by a name that stands elsewhere."""
        return last_name(term[1]) in known(self.program, "finds-by-name") and not names(self.program).is_settled(
            path, function, term
        )

    @cached_property
    def _may_run(self) -> frozenset[int]:
        """The functions (by id) that may run: by their names, from what runs, from hooks, and from what decorators take up."""
        by_name: dict[str, list[tuple[str, Function]]] = {}
        waiting: list[tuple[str, Function]] = []
        for path in sorted(self.files):
            module = self.program.modules[path]
            for function in module.functions.values():
                if id(function) in self.run or function.decorators or is_hook(self.program, path, function):
                    waiting.append((path, function))
                name = (
                    function.cls.rpartition(".")[2] if function.name == "__init__" and function.cls is not None else function.name
                )
                by_name.setdefault(name, []).append((path, function))
        found = {id(function) for _, function in waiting}
        everything = False
        while waiting and not everything:
            path, function = waiting.pop()
            mentioned: set[tuple[str | None, bool]] = set()
            for call in calls_of(function):
                for part in (call.term[1], *parts_of(*handed(call.term))):
                    if part[0] in ("g", "r", "fn", "cls", "a"):
                        mentioned.add((last_name(part), part[0] == "a" and part[1][0] not in ("r", "g")))
                everything = everything or self._is_by_name(path, function, call.term)
            for inner in self.program.modules[path].functions.values():
                if inner.outer == function.qualname and self._nested(path).is_used(inner):
                    mentioned.add((inner.name, False))
            for called, of_something in mentioned:
                for other in by_name.get(called or "", ()):
                    if id(other[1]) not in found and (other[1].cls is not None or not of_something):
                        found.add(id(other[1]))
                        waiting.append(other)
        if everything:
            return frozenset(id(function) for path in self.files for function in self.program.modules[path].functions.values())
        return frozenset(found)

    def _is_called(self, path: str, function: Function) -> bool:
        """Whether a function may be called: the files of the job speak of it, or a library calls it by its name."""
        return self.speaks_of(function) or function.name.startswith("__") or is_hook(self.program, path, function)

    def _is_idle(self, function: Function) -> bool:
        """Whether nothing that may run calls, hands on or looks up what a function is called."""
        return id(function) not in self._may_run

    def speaks_of(self, function: Function) -> bool:
        """Whether anything in the files of the job calls or hands on something of a function's name."""
        return function.name in self._spoken

    @cached_property
    def _spoken(self) -> frozenset[str | None]:
        return spoken(self.program, self.files)

    def inside(self, place: Place) -> list[Place]:
        """The other places of the function that a place is in."""
        return self._by_function.get(id(place.function), [])

    @cached_property
    def _by_function(self) -> dict[int, list[Place]]:
        found: dict[int, list[Place]] = {}
        for place in self.places:
            found.setdefault(id(place.function), []).append(place)
        return found
