"""What a line of accelerate's says against the configuration that it names, the GPUs that it can see, or itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.facts.accelerated.configurations import Configuration, Conflict, Place, configurations, named_by
from trainlint.facts.launching.launches import Launch, Launcher, Option, launches

if TYPE_CHECKING:
    from trainlint.documents.shell import Assignment
    from trainlint.facts.program import Program

#: The types of jobs that take no GPU each for their processes, or of which nothing is known.
_WITHOUT = ("NO", "MULTI_CPU", None)


def started(program: Program) -> Iterator[Conflict]:
    """The contradictions of each line."""
    known = {each.document.path: each for each in configurations(program)}
    for launch in program.ask(launches):
        launcher = launch.launcher("accelerate")
        if launcher is None:
            continue
        named = named_by(program, launch)
        configuration = None if named is None else known.get(named.path)
        yield from _of_types(program, launch, launcher, configuration)
        yield from _of_options(program, launch, launcher, configuration)
        if launch.is_sure and (configuration is not None or launcher.option("--config-file") is None):
            yield from _of_counts(launch, launcher, configuration)


def _of_types(program: Program, launch: Launch, launcher: Launcher, configuration: Configuration | None) -> Iterator[Conflict]:
    tables = program.knowledge.tables
    chosen = [option for option in launcher.options if option.name in tables["accelerate.kinds"]]
    alone = [option for option in chosen if option.name in tables["accelerate.refused"]["together"]]
    if len({option.name for option in alone}) > 1:
        first, second = alone[0], next(option for option in alone if option.name != alone[0].name)
        why = "accelerate takes one of them, and stops at its start where it has two."
        yield Conflict(_place(launch, second), why, (_place(launch, first),))
        return
    count = launcher.option("--num-processes")
    many = launcher.option("--multi-gpu")
    if many is not None and count is not None and count.number is not None and count.number < 2:  # noqa: PLR2004 (more than one)
        yield Conflict(
            _place(launch, many), "accelerate wants two processes or more with it, and stops.", (_place(launch, count),)
        )
        return
    kind = None if configuration is None else configuration.mapping.item("distributed_type")
    if configuration is None or kind is None or not chosen or configuration.kind not in tables["accelerate.sections"].values():
        return
    option = chosen[-1]
    own = tables["accelerate.kinds"][option.name]
    if own == configuration.kind or (option.name == "--cpu" and len(chosen) == 1):
        return
    section = next(name for name, owner in tables["accelerate.sections"].items() if owner == configuration.kind)
    why = (
        f"The option decides: the job runs as {own}, and {configuration.kind} with its section `{section}` is passed over. "
        "Leave the option out, the file chooses the type."
    )
    there = Place(configuration.document.path, kind.key.spot, f"distributed_type: {configuration.kind}")
    yield Conflict(_place(launch, option), why, (there,))


def _of_options(program: Program, launch: Launch, launcher: Launcher, configuration: Configuration | None) -> Iterator[Conflict]:
    """Options that are read for another type than that of the job: the first of each type."""
    tables = program.knowledge.tables
    chosen = [option for option in launcher.options if option.name in tables["accelerate.kinds"]]
    kind = tables["accelerate.kinds"][chosen[-1].name] if chosen else None if configuration is None else configuration.kind
    type_of = None if configuration is None else configuration.mapping.item("distributed_type")
    if kind is None or (not chosen and type_of is None):
        return
    if chosen or configuration is None or type_of is None:
        there = _place(launch, chosen[-1])
    else:
        there = Place(configuration.document.path, type_of.key.spot, f"distributed_type: {kind}")
    for owner, beginnings in tables["accelerate.options"].items():
        first = next((option for option in launcher.options if option.name.startswith(tuple(beginnings))), None)
        if first is not None and owner != kind:
            yield Conflict(
                _place(launch, first), f"accelerate reads it for the type {owner} only: here it is passed over.", (there,)
            )


def _of_counts(launch: Launch, launcher: Launcher, configuration: Configuration | None) -> Iterator[Conflict]:
    count, nodes = launcher.option("--num-processes"), launcher.option("--num-machines")
    number = _number(count, configuration, "num_processes")
    machines = _number(nodes, configuration, "num_machines")
    if number is None or launcher.option("--cpu") is not None:
        return
    if configuration is not None and (
        configuration.kind in ("NO", "MULTI_CPU", None) or configuration.mapping.value("use_cpu") is True
    ):
        return
    here = _place(launch, count) if count is not None else Place(launch.document.path, launch.command.spot, f"{number} processes")
    if machines is not None and machines > 1:
        if number % machines and (count is not None or nodes is not None):
            own = number // machines
            why = f"The number is that of all machines together, and each of {machines} starts {own}: {own * machines} in all."
            other = () if nodes is None else (_place(launch, nodes),)
            yield Conflict(here, why, other)
        return
    if nodes is not None and machines is None:
        return
    seen = _seen(launch, launcher, configuration)
    if seen is not None and number > seen[0]:
        many = "is one" if seen[0] == 1 else f"are {seen[0]}"
        why = f"Each process takes a GPU of its own, and there {many} to be seen: the job ends at its start."
        yield Conflict(here, why, (seen[1],))


def _number(option: Option | None, configuration: Configuration | None, key: str) -> int | None:
    """What a line says, else its configuration; 1 machine where neither does."""
    if option is not None:
        return option.number
    said = None if configuration is None else configuration.number(key)
    if key == "num_machines" and said is None and (configuration is None or key not in configuration.mapping):
        return 1
    return said


def _seen(launch: Launch, launcher: Launcher, configuration: Configuration | None) -> tuple[int, Place] | None:
    """How many GPUs the processes of a line see, as far as it says."""
    option = launcher.option("--gpu-ids")
    if option is not None:
        count = _listed(option.text)
        return None if count is None else (count, _place(launch, option))
    if configuration is not None and str(configuration.mapping.value("gpu_ids") or "all").lower() != "all":
        return None
    variable = next((each for each in reversed(list(launch.environment())) if each.name == "CUDA_VISIBLE_DEVICES"), None)
    if variable is None or variable.conditional or _is_set_again(launch, variable):
        return None
    count = _listed(variable.value.text)
    return (
        None if count is None else (count, Place(launch.document.path, variable.spot, f"{variable.name}={variable.value.text}"))
    )


def _is_set_again(launch: Launch, variable: Assignment) -> bool:
    """Whether another line, which may run before, sets the variable to something else."""
    others = (each for each in launch.script.assignments if each.name == variable.name and each.exported)
    return variable in launch.script.assignments and any(each.value.text != variable.value.text for each in others)


def _listed(text: str | None) -> int | None:
    parts = (text or "").split(",")
    return len(parts) if text and all(part.strip().isdigit() for part in parts) else None


def _place(launch: Launch, option: Option) -> Place:
    shown = option.word.text or option.word.start
    if option.value is not None and "=" not in shown:
        shown = f"{shown} {option.text if option.text is not None else option.value.written}"
    return Place(launch.document.path, option.word.spot, shown)
