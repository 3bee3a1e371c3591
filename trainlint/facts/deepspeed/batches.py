"""Batch sizes for DeepSpeed that cannot be: in a configuration by itself, and with the processes that a line starts.

DeepSpeed 0.19, ``runtime/config.py``, ``_batch_assertion``: the whole batch is the micro-batch times the accumulation steps times
the processes; what is not said is worked out of the others by division. Processes that share a model (pipeline, tensor or
sequence parallel) count as one: whether they do is said in the script.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.deepspeed.configurations import configurations
from trainlint.facts.deepspeed.differing import told_by_launches
from trainlint.facts.deepspeed.stated import DIVIDED, MICRO, SIZES, STEPS, WHOLE, Stated, Statements, of_mapping
from trainlint.facts.deepspeed.uses import Use, starting, uses
from trainlint.facts.launching.launches import Launch, launches
from trainlint.facts.launching.references import named_documents, processes
from trainlint.facts.program import Program
from trainlint.finding import Spot


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


class Mismatch(NamedTuple):
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


def mismatches(program: Program) -> Iterator[Mismatch]:
    """One for each configuration that has such sizes: of the files alone in the program without modules, else with a script."""
    yield from _in_scripts(program) if program.modules else _in_files(program)


def _in_files(program: Program) -> Iterator[Mismatch]:
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


def _in_scripts(program: Program) -> Iterator[Mismatch]:
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


def _of_use(program: Program, use: Use, *, is_divided: bool) -> Mismatch | None:
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


def _judged(stated: Statements, launch: Launch | None, world: int | None, *, with_shared: bool = False) -> Mismatch | None:
    """What is wrong with sizes; ``with_shared``: only if it is, too, where processes share a model."""
    numbers = {key: stated[key].number for key in SIZES if key in stated}
    for key, number in numbers.items():
        if number is not None and number < 1:
            return Mismatch(stated[key], None, ())
    whole = numbers.get(WHOLE)
    if whole is None or None in numbers.values() or (launch is not None and world is None):
        return None
    sizes = Sizes(whole, numbers.get(MICRO), numbers.get(STEPS))
    if sizes.fits(world) or ((with_shared or DIVIDED in stated) and world is not None and sizes.fits_shared(world)):
        return None
    parts = tuple(stated[key] for key in (MICRO, STEPS) if key in stated)
    return Mismatch(stated[WHOLE], sizes, parts, world, launch)


def _is_divided(program: Program) -> bool:
    """Whether a name in the scripts says that processes share a model."""
    names = program.knowledge.tables["deepspeed.divided"]["names"]
    sites = program.ask(CallGraph).sites
    keywords = {key for site in sites.get("initialize", ()) for key, _ in site.call.term.kwargs}
    return any(name in sites or name in keywords for name in names)
