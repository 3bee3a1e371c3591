"""Uses of libraries: which files use the main framework, where a function is used, and which methods of classes frameworks run.

Whether the code guards such a use, and with which versions of the framework a project must run, decides what a repair may write.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from trainlint.config.project_files import declared_versions, told_versions
from trainlint.config.target import Target
from trainlint.finding import Applicability, Spot
from trainlint.ir.control_dependence import Failed, Led, walk_tested
from trainlint.ir.nodes import NAMED, Attr, Call, Const, Dict, Global, Ref, Select, SequenceDisplay, Term, Tuple
from trainlint.ir.sketch import ATTEMPT, Bind, Block, CallStep, Exit, Function, Imported, Keep, Module, Store, Try
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind, tests_of, walk
from trainlint.knowledge.load import Knowledge
from trainlint.program.call_graph import CallGraph, CallSite
from trainlint.program.enclosing import surroundings
from trainlint.program.imports import imported, module_of
from trainlint.program.memo import remembered
from trainlint.program.naming import names_of_source
from trainlint.program.program import Program, calls_of
from trainlint.program.values import ClassValue, Library


def framework(program: Program) -> str:
    """Its name, as that of its package and of the versions that a project asks for."""
    name: str = program.knowledge.tables["framework"]["name"]
    return name


def imports_framework(program: Program, module: Module) -> bool:
    """Whether a file imports it at its top level."""
    name = framework(program)
    return any(dotted.partition(".")[0] == name for dotted in imported(module))


def uses_framework(program: Program, path: str) -> bool:
    """Whether the files around a file use it: methods named ``eval`` are others elsewhere."""
    return framework(program) in program.packages(path)


class Targeted:
    """The ranges of versions that are asked for; none where nothing says which: then one is assumed, and one is everywhere.

    ``told`` are the versions of which other texts speak, or that the code itself shows: they decide what is sure where nothing
    else does. ``spoken`` are those of the texts alone.
    """

    def __init__(
        self,
        framework: str,
        ranges: tuple[Target, ...],
        knowledge: Knowledge,
        told: tuple[Target, ...] = (),
        spoken: tuple[Target, ...] = (),
    ) -> None:
        self.framework = framework
        self.ranges = ranges
        self.told = told
        self.spoken = spoken
        self.assumed = knowledge.assumed_versions.get(framework)
        self.everywhere = knowledge.versions_everywhere.get(framework)

    def older_than(self, version: str) -> bool:
        """Whether somebody asks that versions below this one will do. Where nobody speaks of versions, nobody does."""
        return any(target.may_be_below(self.framework, version) for target in self.ranges)

    def reaches(self, version: str) -> bool:
        """Whether this version, or a newer one, may be there."""
        if not self.ranges:
            return self.assumed is None or not is_newer(version, self.assumed)
        return any(target.may_be_at_least(self.framework, version) for target in self.ranges)

    def needs(self, version: str) -> bool:
        """Whether no version below this one is asked for; where nobody speaks of versions, it is not newer than the assumed."""
        return self.reaches(version) and not self.older_than(version)

    def is_for_older(self, version: str) -> bool:
        """Whether somebody asks that versions below this one will do, or says of one that it is used."""
        return any(target.may_be_below(self.framework, version) for target in self.ranges or self.spoken)

    def is_for(self, version: str) -> bool:
        """Whether this version, or a newer one, may be there, also by what texts say of the one that is used."""
        said = self.ranges or self.spoken
        return self.reaches(version) and (not said or any(target.may_be_at_least(self.framework, version) for target in said))

    def surely(self, version: str) -> bool:
        """Whether what came with this version is there: somebody asks for it, the project shows it, or it is everywhere."""
        if self.ranges:
            return self.needs(version)
        if self.told:
            return not any(target.may_be_below(self.framework, version) for target in self.told)
        return self.everywhere is not None and not is_newer(version, self.everywhere)


def is_newer(version: str, other: str) -> bool:
    """Whether one version (plain numbers) comes after another."""
    return _numbers(version) > _numbers(other)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def targeted(program: Program, path: str, framework: str) -> Targeted:
    """What the file at ``path`` must run with: the configuration wins over what the project's requirements say."""
    if program.target.declared(framework):
        return Targeted(framework, (program.target,), program.knowledge)
    return program.ask_of(_declared, (path.rpartition("/")[0], framework))


def _declared(program: Program, about: tuple[str, str]) -> Targeted:
    """What the project's requirements say to the files of a folder of a framework."""
    folder, framework = about
    specifiers = declared_versions(framework, folder, program.finder.top) if program.finder.top else ()
    ranges = tuple(Target({framework: each}) for each in specifiers)
    if ranges:
        return Targeted(framework, ranges, program.knowledge)
    said = told_versions(framework, folder, program.finder.top) if program.finder.top else ()
    texts = tuple(_of_image(each, program.knowledge.tables["versions.images"]) if each[0].isdigit() else each for each in said)
    spoken = tuple(Target({framework: each}) for each in texts)
    return Targeted(framework, (), program.knowledge, tuple(_told(program, framework, texts)), spoken)


def _of_image(month: str, first: Mapping[str, str]) -> str:
    """The version that an image of NVIDIA's has, named by its month: the tables know the first one of each."""
    had = [version for since, version in first.items() if since <= month]
    return f"=={had[-1]}.*" if had else f"<{next(iter(first.values()))}"


def _told(program: Program, framework: str, said: tuple[str, ...]) -> Iterator[Target]:
    """What texts around a folder say of a framework, and the code: its tests of versions, and what it cannot do without."""
    if any(program.ask(Guards).tests_version(path, function, framework) for path, function in program.functions()):
        everywhere = program.knowledge.versions_everywhere.get(framework, "0")
        said = (*said, f">={everywhere}")  # older ones are expected, but nobody knows which
    said = (*said, *program.ask_of(_left, framework))
    if not said:
        said = tuple(f">={version}" for version in sorted(program.ask_of(_needed_at_import, framework), key=_numbers)[-1:])
    yield from (Target({framework: each}) for each in said)


#: Uses that are made when a file is imported.
_AT_IMPORT = frozenset(("decorator", "base", "import"))


def _left(program: Program, name: str) -> tuple[str, ...]:
    """The versions for which code is that passes what later ones no longer take (table ``versions.left_with``)."""
    table = program.knowledge.tables["versions.left_with"] if name == framework(program) else {}
    keys = {key for _, function in program.functions() for call in calls_of(function) for key, _ in call.term.kwargs}
    return tuple(f"<{version}" for keyword, version in table.items() if keyword in keys)


def applicability(program: Program, path: str, thing: str) -> Applicability:
    """Safe where the version is sure with which something came that a repair counts on (table ``versions.came_with``)."""
    return (
        Applicability.SAFE
        if targeted(program, path, framework(program)).surely(_came_with(program, thing))
        else Applicability.UNSAFE
    )


def may_be_there(program: Program, path: str, thing: str) -> bool:
    """Whether the version may be there with which something came, by what the project asks for."""
    return targeted(program, path, framework(program)).reaches(_came_with(program, thing))


def _came_with(program: Program, thing: str) -> str:
    return str(program.knowledge.tables["versions.came_with"][thing])


def _needed_at_import(program: Program, framework: str) -> frozenset[str]:
    """The versions with which the names came that files use when they are imported (table ``versions.shown_by``)."""
    table = {name: since for name, since in program.knowledge.versions_shown.items() if name.startswith(f"{framework}.")}
    return frozenset(table[use.name] for use in program.ask(Uses).of(table) if use.kind in _AT_IMPORT)


#: Names that stand for the same errors as no name at all.
_ALL_ERRORS = frozenset(("Exception", "BaseException"))


class Guards:
    """What guards the places of one program; worked out for a function when it is first asked about."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._calls: dict[int, dict[Term, bool]] = {}

    def around(self, module: str, tests: tuple[Term | str, ...], *, attempts: bool = True) -> bool:
        """Whether one of the tests around a definition or an import (see :class:`Imported`) guards it."""
        return any((attempts and test == ATTEMPT) or (isinstance(test, Term) and self.asks(module, test)) for test in tests)

    def led(self, module: str, led: Led) -> bool:
        """Whether a test that leads to a place asks for a version, or the place is a handler."""
        return any(isinstance(test, Failed) or self.asks(module, test) for test, _ in led)

    def call(self, module: str, function: Function, call: Call) -> bool:
        """Whether a call is guarded in its function, or the function is."""
        known = self._calls.get(id(function))
        if known is None:
            known = self._calls[id(function)] = self._guarded_calls(module, function)
        return known.get(call, False) or self.around(module, function.tests)

    @remembered(False)
    def asks(self, module: str, test: Term) -> bool:
        """Whether a test asks for a version of something, or whether it has a name."""
        sketch = self.program.modules[module]
        return any(self._speaks(module, sketch, part) for part in parts_of(test))

    def _speaks(self, module: str, sketch: Module, part: Term) -> bool:
        if not isinstance(part, NAMED):
            return False
        name = part.name.lower()
        if any(word in name for word in self.program.knowledge.version_words):
            return True
        held = sketch.names.get(part.name) if isinstance(part, Global) else None
        return held is not None and held is not part and self.asks(module, held)

    @remembered(False)
    def tests_version(self, module: str, function: Function, framework: str) -> bool:
        """Whether a function does one thing or another by the version of a framework; not where it only refuses one."""
        name = f"{framework}.__version__"
        tests = (node.condition for node in tests_of(function) if not ends_the_run(node.body) and not ends_the_run(node.orelse))
        return any(self._is_version(module, part, name) for test in tests for part in parts_of(test))

    def _is_version(self, module: str, part: Term, name: str) -> bool:
        if isinstance(part, Ref):
            return part.name == name
        held = self.program.modules[module].names.get(part.name) if isinstance(part, Global) else None
        return held is not None and any(isinstance(inner, Ref) and inner.name == name for inner in parts_of(held))

    def _guarded_calls(self, module: str, function: Function) -> dict[Term, bool]:
        found: dict[Term, bool] = {}
        for node, led in walk_tested(function.body):
            if not isinstance(node, CallStep):
                continue
            tests = [test for test, _ in led]
            asked = any(isinstance(test, Term) and self.asks(module, test) for test in tests)
            failed = any(isinstance(test, Failed) and self.expects(test.attempt) for test in tests)
            found[node.term] = asked or failed or self._watched(module, function, node.term)
        for attempt in of_kind(function, Try):
            if self.expects(attempt):
                found.update((node.term, True) for node in walk(attempt.body) if isinstance(node, CallStep))
        return found

    def expects(self, attempt: Try) -> bool:
        """Whether a handler catches what another version of a library raises (and not just everything)."""
        failures = self.program.knowledge.version_failures
        for caught in attempt.caught:
            kinds = [] if caught.kinds is None else caught.kinds.items if isinstance(caught.kinds, Tuple) else [caught.kinds]
            names = {kind.name.rpartition(".")[2] for kind in kinds if isinstance(kind, Ref)}
            if not names.isdisjoint(failures) and names.isdisjoint(_ALL_ERRORS):
                return True
        return False

    def _watched(self, module: str, function: Function, call: Call) -> bool:
        managers = self.program.ask_of(surroundings, function).of(call).managers
        return any(self._watches(manager, module, function) for manager in managers if isinstance(manager, Call))

    def _watches(self, manager: Call, module: str, function: Function) -> bool:
        quiet = self.program.knowledge.quiet_calls
        if isinstance(manager.callee, Attr) and manager.callee.name in quiet:
            return True
        values = self.program.values(manager.callee, self.program.frame(module, function))
        return any(isinstance(value, Library) and value.name in quiet for value in values)


def ends_the_run(block: Block) -> bool:
    """Whether a block only ends the run."""
    return bool(block) and isinstance(block[-1], Exit) and block[-1].kind in ("raise", "exit")


CALL, DECORATOR, BASE, IMPORT, PASSED, ASKED = "call", "decorator", "base", "import", "passed", "asked"


class Use(NamedTuple):
    """One use of ``name`` (canonical) in ``module``; ``written`` is the dotted name as the file's imports give it.

    ``kind`` is a word above, ``node`` the parser's class of what stands at ``spot``; ``site`` is the call, where it is one;
    ``function`` what is decorated, or in which function it is.
    """

    kind: str
    name: str
    written: str
    module: str
    function: Function
    spot: Spot
    statement: Spot
    site: CallSite | None = None
    imported: Imported | None = None
    node: str = "Call"


#: What the language calls for others.
_CALLS = frozenset(("builtins.filter", "builtins.map"))
#: Stands for what is not there yet.
_NOTHING = Ref.new("")


class Passed(NamedTuple):
    """Where something that was imported is returned, kept or passed on, and not called: the call or statement there.

    ``asks``: to a call that only asks about it, or decorates what takes its place; nobody will call it.
    """

    term: Ref
    function: Function
    spot: Spot
    statement: Spot
    node: str
    led: Led
    asks: bool = False


def _passed_on(program: Program, path: str) -> tuple[Passed, ...]:
    """All such places of a file."""
    module = program.modules[path]
    decorators = {term for function in module.functions.values() for term in function.decorators}
    found: list[Passed] = []
    for function in module.functions.values():
        attempts = (node for node in of_kind(function, Try) if program.ask(Guards).expects(node))
        watched = {id(node) for attempt in attempts for node in walk(attempt.body)}
        for node, led in walk_tested(function.body):
            if id(node) in watched:
                continue  # where the name is gone, something else is done
            if isinstance(node, CallStep):
                given = (*node.term.args, *(value for _, value in node.term.kwargs))
                asks = node.term in decorators or _only_asks(node.term)
                found += _held(given, Passed(_NOTHING, function, node.term.site, node.statement, "Call", led, asks))
            elif isinstance(node, Exit) and node.kind == "return" and node.value is not None and function.kind != "lambda":
                found += _held((node.value,), Passed(_NOTHING, function, node.spot, node.spot, "Return", led))
            elif isinstance(node, (Store, Keep)):
                found += _held((node.value,), Passed(_NOTHING, function, node.spot, node.spot, node.kind, led))
        for bound in function.body:
            if isinstance(bound, Bind) and bound.value is not None and bound.kind:
                found += _held((bound.value,), Passed(_NOTHING, function, bound.spot, bound.spot, bound.kind, ()))
        kind = "Lambda" if function.kind == "lambda" else "FunctionDef"
        at_head = Passed(_NOTHING, function, function.spot, function.spot, kind, ())
        found += _held(tuple(function.defaults.values()), at_head)
    top = module.functions["<module>"]
    for cls in module.classes.values():
        found += _held(tuple(cls.attributes.values()), Passed(_NOTHING, top, cls.spot, cls.spot, "ClassDef", ()))
    return tuple(found)


def _only_asks(call: Call) -> bool:
    """Whether a call of the language only asks about what it is given (``isinstance(x, Old)``), and calls nothing of it."""
    name = call.callee.name if isinstance(call.callee, Ref) else ""
    return name.startswith("builtins.") and name not in _CALLS


def _held(terms: tuple[Term, ...], place: Passed) -> Iterator[Passed]:
    """The imported things in values, each at this place and under the tests that choose it."""
    pending = [(term, place.led) for term in terms]
    while pending:
        term, led = pending.pop()
        if isinstance(term, Ref):
            yield place._replace(term=term, led=led)
        elif isinstance(term, SequenceDisplay):
            pending += [(each, led) for each in term.subterms()]
        elif isinstance(term, Dict):
            pending += [(each, led) for _, each in term.items if each is not None]
        elif isinstance(term, Select):
            pending += [(term.then, (*led, (term.test, True))), (term.other, (*led, (term.test, False)))]


def chosen_at(program: Program, use: Use) -> tuple[str, Spot] | None:
    """The one place at which what a call runs is passed on, if the call itself does not name it."""
    if use.site is None or isinstance(use.site.call.term.callee, Ref):
        return None
    last = use.name.rpartition(".")[2]
    paths = (path for path in program.ask(CallGraph).passed_on(last) if program.together(path, use.module))
    places = {
        (path, each.spot)
        for path in paths
        for each in program.ask_of(_passed_on, path)
        if not each.asks and program.knowledge.canonical(each.term.name) == use.name
    }
    return places.pop() if len(places) == 1 else None


class Uses:
    """The uses of names in one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.guards = program.ask(Guards)

    def calls(self, names: Collection[str]) -> Iterator[Use]:
        """All calls of these, also where one is passed on before it is called: there ``written`` is no name of the file."""
        for use in self._calls(names):
            if not self._guarded(use):
                yield use
        for site, name in self.program.ask(CallGraph).runs_of(names):
            term, callee = site.call.term, site.call.term.callee
            if not isinstance(callee, Ref) or self._meant(callee, site.module, names) is None:
                use = Use(CALL, name, name, site.module, site.function, term.site, site.call.statement, site)
                if not self._guarded(use):
                    yield use

    def of(self, names: Collection[str]) -> Iterator[Use]:
        """All uses of these names: calls first, then decorators, base classes, and imports of what a file does not use so.

        Where a name is passed on, or asked about, that is a use, one for each name and file.
        """
        used: set[tuple[str, str]] = set()
        for use in (*self._calls(names), *self._decorators(names), *self._bases(names)):
            used.add((use.module, use.written))
            if not self._guarded(use):
                yield use
        for use in self._imports(names):
            if (use.module, use.written) not in used and not self._guarded(use):
                yield use
        passed = {(use.module, use.written) for use in self._imports(names)}
        for use in self._passed(names):
            if (use.module, use.written) not in passed:
                passed.add((use.module, use.written))
                yield use

    def by_path(self, names: Collection[str]) -> Iterator[Use]:
        """The imports that lead to these names, and the uses that spell their path out."""
        used: set[tuple[str, str]] = set()
        for use in (*self._imports(names), *self._calls(names), *self._decorators(names)):
            given = any(taken.dotted == use.written for taken in self.program.modules[use.module].taken)
            used.add((use.module, use.written))
            if (use.kind == IMPORT or not given) and not self._guarded(use):
                yield use
        for use in self._passed(names):
            if (use.module, use.written) not in used:
                used.add((use.module, use.written))
                yield use

    def _calls(self, names: Collection[str]) -> Iterator[Use]:
        index = self.program.ask(CallGraph)
        for last in sorted({name.rpartition(".")[2] for name in names}):
            for site in index.sites.get(last, ()):
                call, callee = site.call, site.call.term.callee
                name = self._meant(callee, site.module, names) if isinstance(callee, Ref) else None
                if name is not None and isinstance(callee, Ref):
                    yield Use(CALL, name, callee.name, site.module, site.function, call.term.site, call.statement, site)

    def _decorators(self, names: Collection[str]) -> Iterator[Use]:
        for path, function in self.program.functions():
            for term, spot in zip(function.decorators, function.decorator_spots, strict=False):
                name = self._meant(term, path, names) if isinstance(term, Ref) else None
                if name is not None and isinstance(term, Ref):
                    node = "Name" if self._is_name(path, term.name, spot) else "Attribute"
                    yield Use(DECORATOR, name, term.name, path, function, spot, function.spot, node=node)

    def _is_name(self, path: str, written: str, spot: Spot) -> bool:
        width = spot.end_column - spot.column
        taken = self.program.modules[path].taken
        return any(each.dotted == written and len(each.name) == width for each in taken)

    def _bases(self, names: Collection[str]) -> Iterator[Use]:
        for path, module in self.program.modules.items():
            top = module.functions["<module>"]
            for cls in module.classes.values():
                for base in cls.bases:
                    name = self._meant(base, path, names) if isinstance(base, Ref) else None
                    if name is not None and isinstance(base, Ref):
                        yield Use(BASE, name, base.name, path, top, cls.spot, cls.spot, node="ClassDef")

    def _imports(self, names: Collection[str]) -> Iterator[Use]:
        for path, module in self.program.modules.items():
            for taken in module.taken:
                name = self._named(taken.dotted, path, names)
                if name is not None:
                    function = module.functions.get(taken.function, module.functions["<module>"])
                    spot, node = taken.statement, "ImportFrom" if taken.whence else "Import"
                    yield Use(IMPORT, name, taken.dotted, path, function, spot, spot, imported=taken, node=node)

    def _passed(self, names: Collection[str]) -> Iterator[Use]:
        index = self.program.ask(CallGraph)
        paths = dict.fromkeys(
            path for last in sorted({name.rpartition(".")[2] for name in names}) for path in index.passed_on(last)
        )
        for path in paths:
            for place in sorted(self.program.ask_of(_passed_on, path), key=lambda each: each.asks):
                name = self._meant(place.term, path, names)
                if name is None or self.guards.led(path, place.led) or self.guards.around(path, place.function.tests):
                    continue
                kind = ASKED if place.asks else PASSED
                use = Use(kind, name, place.term.name, path, place.function, place.spot, place.statement, node=place.node)
                if not self._guarded(use):
                    yield use

    def _meant(self, term: Ref, path: str, names: Collection[str]) -> str | None:
        return self._named(term.name, path, names)

    def _named(self, dotted: str, path: str, names: Collection[str]) -> str | None:
        """The canonical name, if it is one of these and of a library."""
        known = dotted if dotted in names else self.program.knowledge.canonical(dotted)
        return known if known in names and not self._is_own(dotted.partition(".")[0], path) else None

    @remembered()
    def _is_own(self, package: str, path: str) -> bool:
        """Whether a library is a folder of the project."""
        return module_of(self.program.finder, path, package) is not None

    def _guarded(self, use: Use) -> bool:
        module = self.program.modules[use.module]
        if use.site is not None and self.guards.call(use.module, use.function, use.site.call.term):
            return True
        if use.kind == DECORATOR and self.guards.around(use.module, use.function.tests):
            return True
        return any(self.guards.around(use.module, taken.tests) for taken in providers(module, use.written))


def providers(module: Module, written: str) -> Iterator[Imported]:
    """The imports of a file that may give a name by which ``written`` begins, but for those of the whole library."""
    for taken in module.taken:
        if "." in taken.dotted and (written == taken.dotted or written.startswith(f"{taken.dotted}.")):
            yield taken


# -- hooks: methods that frameworks run, which classes of the project define in place of one that a table names -----------


class Overriding(NamedTuple):
    """A method of a class of the project, and the canonical dotted name of the framework's that it stands for."""

    cls: ClassValue
    function: Function
    name: str


class Hooks:
    """When frameworks run methods of the project's classes, and in which state (table ``hooks``). Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._table = {name: frozenset(words.split()) for name, words in program.knowledge.hooks.items()}
        self._methods = {name.rpartition(".")[2] for name in self._table}

    @remembered()
    def of(self, module: str, function: Function) -> frozenset[str]:
        """What the table says of a method; nothing for functions that no framework runs. Where it speaks twice, what both say."""
        cls = self.program.modules[module].classes.get(function.cls or "") if function.name in self._methods else None
        names = () if cls is None else tuple(stands_for(self.program, ClassValue(module, cls), function.name, self._table))
        said = [self._table[name] for name in names]
        return frozenset.intersection(*said) if said else frozenset()

    def saying(self, word: str) -> Iterator[Overriding]:
        """The methods of the project of which the table says this word."""
        return overriding(self.program, {name for name, words in self._table.items() if word in words})

    def keeps_modes(self, name: str) -> bool:
        """Whether the framework of a hook trains in the mode that hooks have left: it puts no model into training mode itself."""
        library = name.partition(".")[0]
        return not any("train" in words for each, words in self._table.items() if each.partition(".")[0] == library)

    def runs(self, cls: ClassValue) -> bool:
        """Whether the framework trains with a class; not where the class says that it does so itself (``hooks.unless``)."""
        program, names = self.program, self.program.knowledge.hooks_unless
        for base in program.lineage(cls):
            if isinstance(base, ClassValue):
                stored = [term for name in names for _, _, term in program.stores(base, name)]
                stored += [term for name, term in base.cls.attributes.items() if name in names]
                if any(not (isinstance(term, Const) and term.value) for term in stored):
                    return False
        return True


def overriding(program: Program, names: Collection[str]) -> Iterator[Overriding]:
    """The methods of the project that stand for one of these (canonical dotted names), each with all names that fit."""
    wanted = {name.rpartition(".")[2] for name in names}
    for path, module in program.modules.items():
        for cls in module.classes.values():
            for method in wanted.intersection(cls.methods):
                found = ClassValue(path, cls)
                for name in stands_for(program, found, method, names):
                    yield Overriding(found, module.functions[cls.methods[method]], name)


def stands_for(program: Program, cls: ClassValue, method: str, names: Collection[str]) -> Iterator[str]:
    """The methods among ``names`` that a class has from its bases, or would have, under the name ``method``.

    A base of which only the name is known is the class of a framework that the derived one shows (table ``hooks.shown_by``).
    """
    fitting = [name for name in names if name.rpartition(".")[2] == method]
    if not fitting:
        return
    classes = {name.split(".")[-2] for name in fitting}
    roots = frozenset(name.partition(".")[0] for name in fitting)
    for base in program.lineage(cls):
        if base == cls:
            continue
        if isinstance(base, Library):
            candidates: Iterator[str] = iter((base.name, *_shown(program, cls, base)))
        elif base.cls.name in classes:
            candidates = names_of_source(program, base.module, base.cls.qualname, roots)
        else:
            continue
        yield from (f"{name}.{method}" for name in candidates if f"{name}.{method}" in fitting)


def _shown(program: Program, cls: ClassValue, base: Library) -> Iterator[str]:
    """The classes of frameworks that a class of another package may be derived from, by the methods of the project's class."""
    if base.name in program.knowledge.methods:
        return
    for name, signatures in program.knowledge.hooks_shown_by.items():
        asked = ((method, parameters) for method, *parameters in (signature.split() for signature in signatures))
        found = ((program.method(cls, method), parameters) for method, parameters in asked)
        if all(own is not None and list(own[1].parameters)[1 : len(given) + 1] == given for own, given in found):
            yield name
