"""What a configuration of DeepSpeed says against itself, the script, or the line that starts a job with it.

Batch sizes that cannot be, by themselves or with the processes of a line; two precisions at once; what the script
says otherwise; passes under an autocast of another precision; offloading that the stage of ZeRO does not do.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.documents.document import Document
from trainlint.documents.tree import Item, Mapping, Plain
from trainlint.domains.precision.autocast import Regimes
from trainlint.finding import Spot
from trainlint.jobs.deepspeed import (
    DIVIDED,
    MICRO,
    SIZES,
    STEPS,
    WHOLE,
    Stated,
    Statements,
    Use,
    configurations,
    of_mapping,
    starting,
    uses,
)
from trainlint.jobs.launch_lines import Launch, Launcher, Option, launches, named_documents, processes
from trainlint.program.call_graph import CallGraph, CallSite
from trainlint.program.program import Program, calls_of
from trainlint.program.values import LibraryObject

_YES = {None: True, "true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


class Difference(NamedTuple):
    """What is said (``said.written`` is the argument or option) and what the configuration states.

    ``reader`` is who reads both (a dotted name). ``node`` is the kind of thing at the place of ``said``, in ``statement``.
    """

    said: Stated
    stated: Stated
    reader: str
    node: str
    statement: Spot


class Told(NamedTuple):
    """What a launch line says beside the name of a configuration, and what that states."""

    launch: Launch
    document: Document
    reader: str
    said: Statements
    stated: Statements


def size_differences(program: Program) -> Iterator[Difference]:
    """Micro-batches and accumulation steps: of launch lines in the program without modules, of calls in the others."""
    for said, stated, reader, node, statement in _compared(program):
        for key in (MICRO, STEPS):
            one, other = said.get(key), stated.get(key)
            if one is None or other is None or one.number is None or other.number is None or one.number == other.number:
                continue
            yield Difference(one, other, reader, node, statement or one.spot)


def precision_differences(program: Program) -> Iterator[Difference]:
    """The first difference of each line, and of each call."""
    alike = program.knowledge.tables["deepspeed.equal"]
    for said, stated, reader, node, statement in _compared(program):
        found = next(_conflicting(said, stated, is_strict=reader in alike), None)
        if found is not None:
            yield Difference(*found, reader, node, statement or found[0].spot)


def _conflicting(said: Statements, stated: Statements, *, is_strict: bool) -> Iterator[tuple[Stated, Stated]]:
    precisions = ("fp16", "bf16")
    for one, other in (precisions, precisions[::-1]):
        if one in said and said[one].value is True and other in stated and stated[other].value is True:
            yield said[one], stated[other]
    for each in precisions if is_strict else ():
        if each in said and each in stated and {said[each].value, stated[each].value} == {True, False}:
            yield said[each], stated[each]


def _compared(program: Program) -> Iterator[tuple[Statements, Statements, str, str, Spot | None]]:
    if program.modules:
        for use in uses(program):
            yield _with_defaults(program, use), use.configuration, use.callee, "Call", use.site.call.statement
    else:
        for told in told_by_launches(program):
            yield told.said, told.stated, told.reader, "Text", None


def _with_defaults(program: Program, use: Use) -> Statements:
    """What a call says, with the defaults of what it leaves out, where those are compared too and all arguments are in sight."""
    defaults = program.knowledge.tables["deepspeed.equal"].get(use.callee)
    if defaults is None or not use.is_whole:
        return use.said
    words = program.knowledge.tables["deepspeed.said"]
    site = use.site
    found = dict(use.said)
    for default in defaults:
        name, _, text = default.partition("=")
        if not {name, program.knowledge.tables["deepspeed.unless"].get(name)} & {key for key, _ in site.call.term.kwargs}:
            value: Plain = int(text) if text.isdigit() else text == "True"
            found.setdefault(words[name], Stated(name, value, site.module, site.call.term.site))
    return found


def told_by_launches(program: Program) -> Iterator[Told]:
    """The launch lines that name a configuration by an option of the table ``deepspeed.options``."""
    options = program.knowledge.tables["deepspeed.options"]
    for launch in program.ask(launches):
        if not launch.is_sure:
            continue
        for word, document in named_documents(program, launch):
            if len(document.roots) != 1 or not isinstance(document.roots[0], Mapping):
                continue
            for name, reader in options.items():
                giver = _giver(launch, name, word.spot)
                if giver is not None:
                    stated = of_mapping(document, document.roots[0], program.knowledge)
                    yield Told(launch, document, reader, _said(program, launch, giver), stated)


def _giver(launch: Launch, name: str, spot: Spot) -> Launch | Launcher | None:
    """Who has the option ``name`` with the value at a place: the script, or one of the launchers."""
    own = launch.argument(name)
    if own is not None and own.value is not None and own.value.spot == spot:
        return launch
    for launcher in launch.launchers:
        option = launcher.option(name)
        if option is not None and option.value is not None and option.value.spot == spot:
            return launcher
    return None


def _said(program: Program, launch: Launch, giver: Launch | Launcher) -> Statements:
    tables = program.knowledge.tables
    found: Statements = {}
    for name, what in tables["deepspeed.said"].items():
        option = _option(giver, "--" + name.replace("_", "-"))
        if option is None or (option.value is not None and option.text is None):
            continue
        unless = tables["deepspeed.unless"].get(name)
        if unless is not None and _option(giver, "--" + unless.replace("_", "-")) is not None:
            continue
        text = None if option.text is None else option.text.lower()
        chosen: str | None = what
        value: Plain = option.number if what in (MICRO, STEPS) else _YES.get(text, "?")
        if what == "precision":
            chosen, value = tables["deepspeed.narrow"].get(text or ""), True
        if chosen is not None and value is not None:
            written = (option.word.text or name).partition("=")[0]
            said = f"{written} {option.text}" if what == "precision" else written
            found[chosen] = Stated(said, value, launch.document.path, option.word.spot)
    return found


def _option(giver: Launch | Launcher, name: str) -> Option | None:
    return giver.argument(name) if isinstance(giver, Launch) else giver.option(name)


class Sizes(NamedTuple):
    """What is said; None for what is left open."""

    whole: int
    micro: int | None
    steps: int | None

    def fits(self, world: int | None) -> bool:
        """Whether DeepSpeed takes it with this many processes; None: with any number of them."""
        if world is not None:
            return self.whole == self._made(world)
        return self.whole % ((self.micro or 1) * (self.steps or 1)) == 0

    def fits_shared(self, world: int) -> bool:
        """Whether it takes it where some of the processes share a model."""
        return any(self.fits(world // shared) for shared in range(2, world + 1) if world % shared == 0)

    def _made(self, world: int) -> int:
        """The whole batch as it is made of its parts, those that are left out worked out."""
        micro, steps = self.micro, self.steps
        if micro is None and steps is None:
            micro, steps = self.whole // world, 1
        elif steps is None and micro is not None:
            steps = self.whole // micro // world
        elif micro is None and steps is not None:
            micro = self.whole // world // steps
        return (micro or 0) * (steps or 0) * world


class BatchSizeMismatch(NamedTuple):
    """Sizes that cannot be, at one of them (``at``); ``sizes`` is None where that one is less than 1.

    ``launch``: it is because of a line, with so many processes (``world``). In a script ``statement`` is that of the call which
    gets the sizes.
    """

    at: Stated
    sizes: Sizes | None
    parts: tuple[Stated, ...]
    world: int | None = None
    launch: Launch | None = None
    statement: Spot | None = None


def batch_size_mismatches(program: Program) -> Iterator[BatchSizeMismatch]:
    """One for each configuration that has such sizes: of the files alone in the program without modules, else with a script."""
    yield from _in_scripts(program) if program.modules else _in_files(program)


def _in_files(program: Program) -> Iterator[BatchSizeMismatch]:
    named = _named(program)
    for configuration in configurations(program):
        stated = of_mapping(configuration.document, configuration.mapping, program.knowledge)
        found = _judged(stated, None, None)
        for launch in named.get(configuration.document.path, ()):
            found = found or _judged(stated, launch, processes(launch), with_shared=True)
        if found is not None:
            yield found
    for told in told_by_launches(program):
        if MICRO in told.said and STEPS in told.said:  # what is not said has a default, perhaps another one in that script
            whole = {key: value for key, value in told.stated.items() if key == WHOLE}
            found = _judged({**whole, **told.said}, told.launch, processes(told.launch))
            if found is not None and _judged(told.stated, told.launch, processes(told.launch), with_shared=True) is None:
                yield found


def _in_scripts(program: Program) -> Iterator[BatchSizeMismatch]:
    is_divided = program.ask(_is_divided)
    named = _named(program)
    for configuration in configurations(program):
        for launch in named.get(configuration.document.path, ()):
            if launch.path in program.modules and not is_divided:
                stated = of_mapping(configuration.document, configuration.mapping, program.knowledge)
                found = _judged(stated, launch, processes(launch))
                if found is not None and _judged(stated, launch, processes(launch), with_shared=True) is None:
                    yield found
                    break
    for use in uses(program):
        found = _of_use(program, use, is_divided=is_divided)
        if found is not None:
            yield found._replace(statement=use.site.call.statement)


def _of_use(program: Program, use: Use, *, is_divided: bool) -> BatchSizeMismatch | None:
    """What is wrong with the sizes of a call: by themselves when they are in the code, and with the lines that start its file."""
    stated = dict(use.configuration)
    for key in (MICRO, STEPS):
        if key in use.said and (key not in stated or stated[key].number is None):
            stated[key] = use.said[key]
    found = None
    if use.document is None or stated != use.configuration:
        found = _judged(stated, None, None)
    for launch in () if is_divided else starting(program, use.site.module):
        names_it = use.document is not None and any(each is use.document for _, each in named_documents(program, launch))
        if found is None and not names_it:
            found = _judged(stated, launch, processes(launch))
    return found


def _named(program: Program) -> dict[str, list[Launch]]:
    """By path of a file the lines that name it."""
    named: dict[str, list[Launch]] = {}
    for launch in program.ask(launches):
        for _, document in named_documents(program, launch):
            named.setdefault(document.path, []).append(launch)
    return named


def _judged(
    stated: Statements, launch: Launch | None, world: int | None, *, with_shared: bool = False
) -> BatchSizeMismatch | None:
    """What is wrong with sizes; ``with_shared``: only if it is, too, where processes share a model."""
    numbers = {key: stated[key].number for key in SIZES if key in stated}
    for key, number in numbers.items():
        if number is not None and number < 1:
            return BatchSizeMismatch(stated[key], None, ())
    whole = numbers.get(WHOLE)
    if whole is None or None in numbers.values() or (launch is not None and world is None):
        return None
    sizes = Sizes(whole, numbers.get(MICRO), numbers.get(STEPS))
    if sizes.fits(world) or ((with_shared or DIVIDED in stated) and world is not None and sizes.fits_shared(world)):
        return None
    parts = tuple(stated[key] for key in (MICRO, STEPS) if key in stated)
    return BatchSizeMismatch(stated[WHOLE], sizes, parts, world, launch)


def _is_divided(program: Program) -> bool:
    """Whether a name in the scripts says that processes share a model."""
    names = program.knowledge.tables["deepspeed.divided"]["names"]
    sites = program.ask(CallGraph).sites
    keywords = {key for site in sites.get("initialize", ()) for key, _ in site.call.term.kwargs}
    return any(name in sites or name in keywords for name in names)


class PrecisionConflict(NamedTuple):
    """The two that switch a precision on, in the order of the file; ``statement`` is that of the call that gets a dictionary."""

    first: Stated
    second: Stated
    statement: Spot | None = None


def precision_conflicts(program: Program) -> Iterator[PrecisionConflict]:
    """One for each configuration that has two of them on: of files in the program without modules, else of dictionaries."""
    if program.modules:
        for use in uses(program):
            if use.document is None and (on := _on(program, use.configuration)) is not None:
                yield PrecisionConflict(*on, use.site.call.statement)
        return
    for configuration in configurations(program):
        on = _on(program, of_mapping(configuration.document, configuration.mapping, program.knowledge))
        if on is not None:
            yield PrecisionConflict(*on)


def _on(program: Program, stated: Statements) -> tuple[Stated, Stated] | None:
    names = program.knowledge.tables["deepspeed.precision"]
    on = [stated[name] for name in names if name in stated and stated[name].value is True]
    first, second = sorted(on, key=lambda each: each.spot)[:2] if len(on) > 1 else (None, None)
    return (first, second) if first is not None and second is not None else None


class Overruled(NamedTuple):
    """A call of an engine, the autocast around it (``made``: its place; ``dtype``: its dotted name), and what is enabled."""

    site: CallSite
    made: tuple[str, Spot]
    dtype: str
    stated: Stated


def overruled(program: Program) -> Iterator[Overruled]:
    """The first of each engine."""
    dtypes = program.knowledge.tables["deepspeed.dtypes"]
    for use in uses(program):
        on = [name for name in dtypes if name in use.configuration and use.configuration[name].value is True]
        if len(on) == 1:
            others = [dtype for name, dtype in dtypes.items() if name != on[0]]
            found = next(_under(program, use, others, use.configuration[on[0]]), None)
            if found is not None:
                yield found


def _under(program: Program, use: Use, dtypes: list[str], stated: Stated) -> Iterator[Overruled]:
    path = use.site.module
    for function in program.modules[path].functions.values():
        frame = program.frame(path, function)
        for call in calls_of(function):
            values = program.values(call.term.callee, frame)
            if not any(isinstance(value, LibraryObject) and value.call is use.site.call.term for value in values):
                continue
            autocast = program.ask(Regimes).of(call.term, frame).within(dtypes)
            if autocast is not None and autocast.enabled is True and len(autocast.dtypes) == 1:
                made = (autocast.frame.module, autocast.call.site)
                yield Overruled(CallSite(path, function, call), made, next(iter(autocast.dtypes)), stated)


#: The stage that partitions parameters, and the first that partitions anything.
PARAMETERS, FIRST = 3, 1


class UnusedSetting(NamedTuple):
    """Items that ``stage`` passes over, which only stages from ``needed`` on read; ``chosen`` says the stage, if any does."""

    document: Document
    items: tuple[Item, ...]
    stage: int
    needed: int
    chosen: Item | None


def unused_settings(program: Program) -> Iterator[UnusedSetting]:
    """The settings of all configurations that their stage does not read."""
    table = program.knowledge.tables["deepspeed.zero"]
    for configuration in configurations(program):
        zero = configuration.mapping.mapping("zero_optimization")
        stage = None if zero is None else _stage(zero)
        if zero is None or stage is None:
            continue
        of_parameters = [item for item in zero.items if _moves(item, table["parameters"]) or _begins(item, table["prefixes"])]
        of_optimizer = [item for item in zero.items if _moves(item, table["optimizer"])]
        for items, needed in ((of_parameters, PARAMETERS), (of_optimizer, FIRST)):
            if items and stage < needed:
                yield UnusedSetting(configuration.document, tuple(items), stage, needed, zero.item("stage"))


def _stage(zero: Mapping) -> int | None:
    """The stage; 0 where none is said, as DeepSpeed has it. None for one that somebody else fills in (``auto``)."""
    if "stage" not in zero:
        return 0
    value = zero.value("stage")
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _moves(item: Item, keys: list[str]) -> bool:
    """Whether an item moves something to a device; ``none`` moves nothing, and ``auto`` is none to DeepSpeed."""
    if item.key.value not in keys or not isinstance(item.value, Mapping):
        return False
    device = item.value.value("device")
    return isinstance(device, str) and device.lower() not in ("none", "auto", "")


def _begins(item: Item, prefixes: list[str]) -> bool:
    return str(item.key.value).startswith(tuple(prefixes))
