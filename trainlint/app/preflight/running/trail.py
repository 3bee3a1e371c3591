"""What a job does: what is asked about the calls of all functions that its script runs or may run.

What is asked of the functions that a job runs or may run: the calls in them, each with the way to it; what is left
open.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import PurePath

from trainlint.app.preflight.instantiation.targets import target_of
from trainlint.app.preflight.line import Evidence, Place, Way, after
from trainlint.app.preflight.running.external_parts import Elsewhere
from trainlint.app.preflight.running.may_run import may_run
from trainlint.app.preflight.running.nearness import BESIDE, ELSEWHERE, around, judges, nearness
from trainlint.app.preflight.running.reachability import Reach
from trainlint.app.preflight.values.constants import asked_for, asks_for_keywords, is_left_open, is_of_configuration
from trainlint.app.preflight.values.words import OFF, WIDE, functions_of, handed, known, split, terms_of, words_of, written
from trainlint.finding import Spot
from trainlint.ir.control_dependence import conditions, walk_tested
from trainlint.ir.nodes import Attr, BinOp, Call, Const, Dict, Not, Subscript, Term
from trainlint.ir.sketch import Function, Keep, Store
from trainlint.ir.terms import closure, dotted_name, parts_of, whole_number
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import last_name
from trainlint.program.imports import imported
from trainlint.program.leading import Leading
from trainlint.program.values import ClassValue, Context, FunctionValue, Instance, Library, LibraryObject


class Placed(Reach):
    """One script's."""

    def runs_at(self, path: str, line: int) -> bool:
        """Whether the innermost function around a line is reached."""
        around = [each for each in self.program.modules[path].functions.values() if each.spot[0] <= line <= each.spot[2]]
        inner = max(around, key=lambda each: each.spot[:2], default=None)
        return inner is None or inner.name == "<module>" or id(inner) in self.run

    def option_at(self, path: str, line: int) -> str | None:
        """The option, off by default, without which nothing runs that a line calls."""
        options = [each.way.option for each in self._by_line.get((path, line), ()) if each.way is not None]
        return options[0] if options and None not in options else None

    @cached_property
    def _by_line(self) -> dict[tuple[str, int], list[Place]]:
        found: dict[tuple[str, int], list[Place]] = {}
        for place in self.places:
            found.setdefault((place.module, place.spot.line), []).append(place)
        return found

    @cached_property
    def places(self) -> list[Place]:
        """All calls and decorators in the files of the trail, each with whether and how it is seen to run."""
        return [
            place
            for path, each in self.functions
            if self._before(each) is not None or (not self._is_idle(each) and self._may_live(path, each))
            for place in self._in(path, each)
        ]

    @cached_property
    def ran(self) -> list[Place]:
        """Those of the functions that run, in the same order: of large projects they are few."""
        return [place for path, each in self.functions if self._before(each) is not None for place in self._in(path, each)]

    @cached_property
    def never(self) -> frozenset[tuple[str, Spot]]:
        """The places to which nothing leads in functions that run, each as its file and its spot."""
        return frozenset((each.module, each.spot) for each in self.ran if each.way is None)

    @property
    def functions(self) -> Iterator[tuple[str, Function]]:
        """All functions of the job's files, whether they run or not, each with its file."""
        return ((path, each) for path in sorted(self.files) for each in self.program.modules[path].functions.values())

    def _before(self, function: Function) -> Way | None:
        """What it takes to come to a function, if it runs."""
        return self.run.get(id(function)) or (Way() if id(function) in self._imported else None)

    def _in(self, path: str, function: Function) -> list[Place]:
        known = self._placed.get(id(function))
        if known is None:
            before = self._before(function)
            known = self._placed[id(function)] = [
                Place(path, function, call.term, call.term.site, None if before is None or own is None else after(before, own))
                for call, own in self._led(path, function)
            ]
            pairs = zip(function.decorators, function.decorator_spots, strict=False)
            known += [Place(path, function, term, spot, before) for term, spot in pairs]
        return known

    @cached_property
    def open_part(self) -> Place | None:
        """The call that makes a part of the job by a name which may mean what is not seen."""
        is_told = self.aim is not None and self.aim.is_whole

        def is_idle(function: Function) -> bool:
            """Whether nothing comes to a plain function, and no file of the job speaks of it."""
            return function.cls is None and self._before(function) is None and not self.speaks_of(function)

        found = Elsewhere(self.program, lambda: self.files, self.options.origins, is_told=is_told, is_idle=is_idle)
        return found.first(each for each in self.places if not self.tags.settles(each, self.files))

    @property
    def is_dynamic(self) -> bool:
        """Whether the job makes parts of itself by names that may mean what is not seen."""
        return self.is_chosen or self.open_part is not None

    @cached_property
    def _may_run(self) -> frozenset[int]:
        return may_run(self.program, self.files, self.run)

    def _is_idle(self, function: Function) -> bool:
        """Whether nothing that may run calls, hands on or looks up what a function is called."""
        return id(function) not in self._may_run

    def inside(self, place: Place) -> list[Place]:
        """The other places of the function that a place is in."""
        return self._by_function.get(id(place.function), [])

    @cached_property
    def _by_function(self) -> dict[int, list[Place]]:
        found: dict[int, list[Place]] = {}
        for place in self.places:
            found.setdefault(id(place.function), []).append(place)
        return found


class Trail(Placed):
    """One script's."""

    @cached_property
    def _found(self) -> dict[str, list[Place]]:
        """The places by what they are found under: ``.name`` (of anything), ``name=``, a library's dotted name."""
        found: dict[str, list[Place]] = {}
        for place in self.places:
            for key in self.keys(place):
                found.setdefault(key, []).append(place)
        return found

    def keys(self, place: Place) -> set[str]:
        """What a place is found under."""
        term = place.term
        frame = self.program.frame(place.module, place.function)
        callee = term.callee if isinstance(term, Call) else term
        keys = {f".{last_name(callee)}"}
        if isinstance(term, Call):
            keys.update(f"{keyword}=" for keyword, _ in term.kwargs if keyword)
            if last_name(callee) == "partial" and term.args:
                keys.update(value.name for value in self.program.values(term.args[0], frame) if isinstance(value, Library))
        values = self.program.values(callee, frame)
        libraries = {value.name for value in values if isinstance(value, Library)}
        for value in values:
            if isinstance(value, ClassValue):
                above = self.program.lineage(value)
                libraries.update(each.name for each in above if isinstance(each, Library))
                libraries.update(name for each in above if isinstance(each, ClassValue) for name in self._names_in_source(each))
            elif isinstance(value, FunctionValue):
                libraries.update(self._names_in_source(value))
        libraries.update(self._inherited(callee, frame))
        dotted = None if values else dotted_name(callee)
        if dotted is not None and dotted.partition(".")[0] in self.frameworks:  # its source is in the tree, and was not read
            libraries.add(self.program.knowledge.canonical(dotted))
        if libraries:
            keys.add("of a library")
        return keys | libraries

    def _inherited(self, callee: Term, frame: Context) -> Iterator[str]:
        """The methods of libraries that an object has from a class above its own, or that a configuration names its class."""
        if not isinstance(callee, Attr):
            return
        for base in self.program.values(callee.base, frame):
            target = target_of(self.program, base) if isinstance(base, LibraryObject) else None
            if target is not None:
                yield self.program.knowledge.canonical(f"{target}.{callee.name}")
            if not isinstance(base, (Instance, ClassValue)):
                continue
            cls = base if isinstance(base, ClassValue) else ClassValue(base.module, base.cls)
            if self.program.method(cls, callee.name) is not None or (
                isinstance(base, Instance)
                and (self.program.stores(cls, callee.name) or self.program.class_attribute(cls, callee.name))
            ):
                continue
            for above in self.program.lineage(cls):
                if isinstance(above, Library):
                    yield self.program.knowledge.canonical(f"{above.name}.{callee.name}")

    def _names_in_source(self, value: ClassValue | FunctionValue) -> Iterator[str]:
        """The names under which those who use a framework know something in its source: packages hand on what is in them."""
        if not self.is_framework(value.module):
            return
        own = (value.cls if isinstance(value, ClassValue) else value.function).qualname
        above: list[str] = []
        place = PurePath(value.module)
        for folder in (*place.parts[:-1], *((place.stem,) if place.stem != "__init__" else ())):
            if above or folder in self.frameworks:
                above.append(folder)
                yield self.program.knowledge.canonical(".".join((*above, own)))

    def calls(self, patterns: Iterable[str]) -> list[Place]:
        """The places that fit a pattern (see ``_found``): those that run first, those that need an option then.

        What is switched off where it stands (``enabled=False``, ``bf16=False``) does not count.
        """
        found: dict[tuple[str, Spot], Place] = {}
        for key in patterns:
            for place in self._found.get(key, ()):
                kept = None if key == "precision=" and _says_digits(place) else self.switched(place, key)
                if kept is not None and key.endswith("autocast") and asks_for_keywords(place.function, place.term):
                    kept = place._replace(way=None, is_unsaid=True)  # whoever calls this says whether it is narrow
                if kept is not None:
                    found.setdefault((place.module, place.spot), kept)
        return self.ranked(found.values(), by_loop=False)

    # -- what comes first ------------------------------------------------------------------------------------------

    def ranked(self, places: Iterable[Place], *, chosen: bool = False, by_loop: bool = True) -> list[Place]:
        """What runs before what needs an option (unless that is wanted: ``chosen``), what evaluates and converts last.

        ``by_loop``: what is in the loop of the training is before what is not.
        """

        def order(each: Place) -> tuple[object, ...]:
            way, near = _rank(each), nearness(each.module, each.function, self.path, self._loop)
            near = near if by_loop or near == BESIDE else ELSEWHERE
            first = (each.way is None, near, way) if chosen else (way, near)
            return (*first, each.module != self.path, each.module, each.spot)

        return sorted(places, key=order)

    def trained(self, places: Iterable[Place]) -> list[Place]:
        """Those that the training may run, where its loop is seen: not those of functions and files that judge a model.

        Where there are no others, nothing is known: these are not seen to run then.
        """
        found = list(places)
        return [each for each in found if self.feeds(each.function, each.module)] or [each._replace(way=None) for each in found]

    def feeds(self, function: Function, module: str) -> bool:
        """Whether a function may be run by the training: see ``trained``."""
        return not self._loop or id(function) in self._loop or not judges(module, function, self.path)

    @cached_property
    def training(self) -> tuple[list[tuple[str, Function]], list[tuple[str, Function]]]:
        """The functions with a backward pass, and those that call them, by their names."""
        keys = (*(name for key in ("backward", "steps", "gradients") for name in known(self.program, key)), ".zero_grad")
        spots = {(each.module, each.spot): each for key in keys for each in self._found.get(key, ()) if each.way is not None}
        places = [spots[key] for key in sorted(spots, key=lambda each: (each[0] != self.path, *each))]
        trains = [each for each in places if each.way is not None and each.way.option is None] or places
        steps = {id(each.function): (each.module, each.function) for each in trains}
        leads = self.program.ask(Leading).to(*(function for _, function in steps.values()), loosely=True)
        above = [(lead.module, lead.function) for each, lead in leads.items() if each not in steps and each in self.run]
        return list(steps.values()), above

    @cached_property
    def _loop(self) -> frozenset[int]:
        """The functions (by id) that the loop of the training runs."""
        return around(*self.training, self.led, self.path)

    def switched(self, place: Place, key: str) -> Place | None:
        """A place as the value says that switches it; None: it is off."""
        value: Term | None = None
        keywords = place.term.kwargs if isinstance(place.term, Call) else ()
        if key.endswith("="):
            value = next((each for keyword, each in keywords if f"{keyword}=" == key), None)
        elif key.endswith(("autocast", "GradScaler", ".compile")) and isinstance(place.term, Call):
            value = next((each for keyword, each in keywords if keyword == "enabled"), None)
            disabled = next((each for keyword, each in keywords if keyword == "disable"), None)
            if disabled is not None:
                said = self.options.default(disabled, place.module)
                if said == (True,):
                    return None
                if said is None and is_left_open(disabled.operand if isinstance(disabled, Not) else disabled):
                    return place._replace(way=None, is_unsaid=True)
            if value is None and key.startswith("torch.cuda") and place.term.args:
                value = place.term.args[0]
        elif key in self._switches:
            value = next((each for keyword, each in keywords if keyword == self._switches[key]), None)
        value = value or self._policy(place, key)
        if value is None:
            return place
        said = self.options.default(value, place.module) or self._made_off(place, value, key)
        if said is None and key.endswith("=") and is_left_open(value):
            return place._replace(way=None, is_unsaid=True)  # somebody else says what it is
        if said is None and not key.endswith("=") and is_of_configuration(value):
            name = self.options.name(value, place.module)
            if name is None or not self.options.is_given(name):
                return place._replace(way=None, is_unsaid=True)
        if said is None and place.way is not None and self.options.is_off_with_some(value, place.module):
            name = self.options.name(value, place.module)
            return place if name is None else place._replace(way=place.way._replace(option=name))
        if said is None or said[0] not in ((*OFF, *WIDE) if key == "precision=" else OFF):
            return place
        if isinstance(value, Const):
            return None
        name = self.options.name(value, place.module)
        if name is None:
            return None
        return place if place.way is None else place._replace(way=place.way._replace(option=name))

    def _policy(self, place: Place, key: str) -> Term | None:
        """The name of the policy that a call of Keras sets: of ``set_global_policy(Policy(name))``."""
        if not isinstance(place.term, Call) or not place.term.args or key not in known(self.program, "policies"):
            return None
        given: Term = place.term.args[0]
        return given.args[0] if isinstance(given, Call) and last_name(given.callee) == "Policy" and given.args else given

    def _made_off(self, place: Place, value: Term, key: str) -> tuple[object] | None:
        """What an argument is made from that is off, and with it the argument: ``dtype=dtype_of(args.dtype)``."""
        if not key.endswith("=") or not isinstance(value, Call) or not value.args:
            return None
        made = self.options.default(value.args[0], place.module)
        return made if made is not None and made[0] in OFF else None

    @cached_property
    def _switches(self) -> Mapping[str, str]:
        """The keyword that switches what a library's function does, by its name."""
        switches: Mapping[str, str] = self.program.knowledge.tables["preflight.switches"]
        return switches

    def is_followed(self, place: Place) -> bool:
        """Whether a call is of a method that an object has which a configuration made: what that does is looked at itself."""
        frame = self.program.frame(place.module, place.function)
        targets = self._built.targets(place.term, frame) if isinstance(place.term, Call) else ()
        return any(isinstance(each, FunctionValue) and id(each.function) in self.run for each in targets)

    def reaches(self, function: Function, module: str) -> bool:
        """Whether a function (one of a file of the job) is seen to run."""
        return module in self.files and id(function) in self.run

    def comes_to(self, functions: Iterable[Function], wanted: Container[int]) -> bool:
        """Whether what runs comes from one of some functions to one of others (by id), by whatever calls lie between."""
        leads = closure(map(id, functions), lambda here: [id(target.function) for _, target in self.led.get(here, ())])
        return any(each in wanted for each in leads)

    def is_of_library(self, place: Place) -> bool:
        """Whether it is known which library's function a place calls."""
        return any(place is each for each in self._found.get("of a library", ()))

    def holds(self, key: str, off: Iterable[object]) -> Evidence | None:
        """Where a dict of what runs has something under a key that is not off: ``DataLoader(data, **options)``."""
        nothing = tuple(off)
        return next((where for name, value, where in self._items if name == key and not _is_off(value, nothing)), None)

    @cached_property
    def _items(self) -> list[tuple[object, Term, Evidence]]:
        """The items of dicts that stand in what runs."""
        found: list[tuple[object, Term, Evidence]] = []
        for path, function in functions_of(self.program, self.files):
            if id(function) not in self.run:
                continue
            where = Evidence(path, function.spot, "a dict here")
            found += [
                (node.target.name, node.value, Evidence(path, node.spot, "it is set here"))
                for node in of_kind(function, Store)
                if isinstance(node.target, Attr) and node.target.name in ("num_workers", "pin_memory")
            ]
            for part in parts_of(*terms_of(function)):
                if isinstance(part, Dict):
                    spot = Spot(part.line, 0, part.line, 0) if isinstance(part.line, int) else where.spot
                    found += [
                        (name.value, value, Evidence(path, spot, f"`{name.value}` stands in this dict"))
                        for name, value in part.items
                        if isinstance(name, Const) and value is not None
                    ]
        return found

    def libraries(self, *starts: str) -> bool:
        """Whether anything of these libraries is imported in the files of the job."""
        return any(dotted.partition(".")[0] in starts for path in self.files for dotted in imported(self.program.modules[path]))

    def imports_always(self, start: str) -> bool:
        """Whether a file of the job imports something of a library at its top, under no test and in no ``try``."""
        taken = (each for path in self.files for each in self.program.modules[path].taken)
        free = (each for each in taken if each.function == "<module>" and not each.tests and not each.statement.column)
        return any(each.dotted.partition(".")[0] == start for each in free)

    def told(self, callees: Iterable[str], words: Iterable[str]) -> list[Place]:
        """The calls with one of these last names that are handed something of which one of the words speaks."""
        wanted = frozenset(words)
        names = frozenset(callees)
        calls = ((each, each.term) for each in self.places if isinstance(each.term, Call))
        found = [(each, call) for each, call in calls if last_name(call.callee) in names]
        named = {each.spot: {word for keyword, _ in call.kwargs if keyword for word in split(keyword)} for each, call in found}
        return self.ranked(
            each for each, call in found if not wanted.isdisjoint((*named[each.spot], *words_of(self.program, *handed(call))))
        )

    def words(self, place: Place) -> frozenset[str]:
        """The words of what a call is handed, and of what it is a method of."""
        if not isinstance(place.term, Call):
            return frozenset()
        callee = (place.term.callee.base,) if isinstance(place.term.callee, Attr) else ()
        return frozenset(words_of(self.program, *callee, *handed(place.term)))

    def keeps(self, words: Iterable[str]) -> list[Place]:
        """Where something is kept under a key of one of these words: ``logs["lr"] = rate``; not in an optimizer's groups."""
        wanted = frozenset(words)
        found = []
        for path, function in functions_of(self.program, self.files):
            way = self.run.get(id(function))
            if way is None:
                continue
            for node, led in walk_tested(function.body):
                if not isinstance(node, Keep):
                    continue
                target = node.target
                if isinstance(target, Subscript) and isinstance(target.key, Const) and isinstance(target.key.value, str):
                    named = [key for key, _ in target.base.items] if isinstance(target.base, Dict) else [target.base]
                    base = set(words_of(self.program, *named))
                    if any(isinstance(part, Attr) and part.name == "param_groups" for part in parts_of(target.base)):
                        continue
                    if not wanted.isdisjoint(split(target.key.value)) and base.isdisjoint(_GROUPS):
                        tests = (self.options.off(test, arm, path) for test, arm in conditions(led))
                        option = way.option or next((name for name in tests if name is not None), None)
                        place = Place(path, function, target, node.spot, way._replace(option=option))
                        is_open = asked_for(function, conditions(led))
                        found.append(place._replace(way=None, is_unsaid=True) if is_open else place)
        return found

    def texts(self, place: Place) -> Iterator[tuple[list[str], frozenset[str]]]:
        """The texts that a call is handed: the constant parts of each, and the words of what is put between them."""
        inner: set[Term] = set()
        for part in parts_of(place.term):
            if part in inner:
                inner.update(part.subterms() if isinstance(part, BinOp) and part.op == "Add" else ())
            elif isinstance(part, BinOp) and part.op == "Add":
                inner.update(part.subterms())
                if any(isinstance(each, Const) and not isinstance(each.value, str) for each in part.subterms()):
                    continue  # a sum of numbers: nothing is put together
                leaves = [each for each in parts_of(part) if isinstance(each, Const) and isinstance(each.value, str)]
                others = [each for each in part.subterms() if not isinstance(each, Const)]
                yield [str(each.value) for each in leaves], frozenset((*words_of(self.program, *others), "added"))
            elif (whole := written(part)) is not None:
                named = (
                    word for keyword, _ in (part.kwargs if isinstance(part, Call) else ()) if keyword for word in split(keyword)
                )
                made = ("formatted",) if isinstance(part, Call) else ()
                yield whole.texts, frozenset((*named, *words_of(self.program, *whole.values), *made))
            elif isinstance(part, Const) and isinstance(part.value, str):
                yield [part.value], frozenset()


#: The bits of floating point numbers.
_BITS = (8, 16, 32, 64)
#: What options are kept in, and not what is logged.
_GROUPS = frozenset(
    (
        *("param_groups", "param_group", "group", "groups", "param", "config", "cfg", "opt", "args", "kwargs", "optimizer"),
        *("params", "g", "hyp", "pg", "pgroup", "hyperparams", "defaults"),
    )
)


def _says_digits(place: Place) -> bool:
    """Whether a precision is a number of digits: ``set_printoptions(precision=5)``."""
    given = dict(place.term.kwargs).get("precision") if isinstance(place.term, Call) else None
    digits = whole_number(given)
    return digits is not None and digits not in _BITS


def _is_off(value: Term, off: tuple[object, ...]) -> bool:
    """Whether a value switches something off, itself or by its ``enabled``."""
    if isinstance(value, Dict):
        return any(
            isinstance(name, Const) and name.value == "enabled" and _is_off(inner, off)
            for name, inner in value.items
            if inner is not None
        )
    return bool(isinstance(value, Const) and value.value in off)


def _rank(place: Place) -> int:
    return 2 if place.way is None else int(place.way.option is not None)
