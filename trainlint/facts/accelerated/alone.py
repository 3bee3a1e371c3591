"""What a configuration of accelerate's says against itself.

accelerate 1.15: ``commands/launch.py`` (``_validate_launch_command`` takes the type of the file, ``launch_command`` chooses the
launcher by it), ``utils/launch.py``, ``commands/config/config_args.py``, ``utils/dataclasses.py`` (``_deepspeed_config_checks``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.documents.tree import Item, Scalar, Sequence
from trainlint.facts.accelerated.configurations import Configuration, Conflict, Place, configurations

if TYPE_CHECKING:
    from trainlint.facts.program import Program


def alone(program: Program) -> Iterator[Conflict]:
    """The contradictions in each file; those about its type only where no line chooses another one."""
    for each in configurations(program):
        if each.kind is None or "SAGEMAKER" in str(each.mapping.value("compute_environment")).upper():
            continue
        if not _chooses(program, each):
            yield from _of_type(program, each)
        yield from _of_counts(each)
        yield from _of_sections(program, each)


def _chooses(program: Program, configuration: Configuration) -> bool:
    kinds = program.knowledge.tables["accelerate.kinds"]
    options = (option.name for line in configuration.lines for launcher in line.launchers for option in launcher.options)
    return any(name in kinds for name in options)


def _of_type(program: Program, each: Configuration) -> Iterator[Conflict]:
    kind, count = each.mapping.item("distributed_type"), each.mapping.item("num_processes")
    number = each.number("num_processes")
    if kind is None:
        return
    is_single = each.kind == "NO" and each.section("mpirun_config") is None and not _is_overridden(each)
    if count is not None and is_single and number is not None and number > 1:
        why = f"Without a distributed type accelerate starts one process, whatever the number: {number - 1} are never started."
        yield Conflict(_place(each, count), why, (_place(each, kind),))
    for name, owner in program.knowledge.tables["accelerate.sections"].items():
        section = each.section(name)
        if section is not None and each.kind != owner:
            why = f"accelerate reads this section for the type {owner} only: with {each.kind} all of it is passed over."
            yield Conflict(_place(each, section[0]), why, (_place(each, kind),))


def _is_overridden(each: Configuration, option: str = "--num-processes") -> bool:
    """Whether a line that names a file gives something itself: the number of processes."""
    launchers = (line.launcher("accelerate") for line in each.lines)
    return any(launcher is not None and launcher.option(option) is not None for launcher in launchers)


def _of_counts(each: Configuration) -> Iterator[Conflict]:
    """Processes against machines and GPUs. All processes are counted, on all machines."""
    count, machines = each.mapping.item("num_processes"), each.mapping.item("num_machines")
    number, nodes = each.number("num_processes"), each.number("num_machines")
    if count is None or number is None or _is_overridden(each):
        return
    if nodes is not None and nodes > 1 and machines is not None and number % nodes and each.kind != "NO":
        own = number // nodes
        why = f"The number is that of all machines together, and each starts {own}: {own * nodes} in all."
        yield Conflict(_place(each, count), why, (_place(each, machines),))
    yield from _of_gpus(each, count, number)


def _of_gpus(each: Configuration, count: Item, number: int) -> Iterator[Conflict]:
    """Processes against the GPUs that are listed."""
    ids, kind = each.mapping.item("gpu_ids"), each.mapping.item("distributed_type")
    have = None if ids is None else _ids(ids)
    if ids is None or have is None or kind is None or each.kind in ("NO", "MULTI_CPU", None) or _is_overridden(each, "--gpu-ids"):
        return
    if each.mapping.item("num_machines") is not None and each.number("num_machines") != 1:
        return
    if number > have:
        many = "is one" if have == 1 else f"are {have}"
        why = f"Each process takes a GPU of its own, and there {many}: the job ends at its start."
        yield Conflict(_place(each, count), why, (_place(each, ids),))
    elif have == 1 and str(each.kind).startswith("MULTI_") and not each.lines:
        why = f"accelerate wants two GPUs or more for {each.kind}, or all of them, and stops at its start."
        yield Conflict(_place(each, ids), why, (_place(each, kind),))


def _ids(item: Item) -> int | None:
    """How many GPUs are listed."""
    value = item.value.value if isinstance(item.value, Scalar) else None
    if isinstance(item.value, Sequence):
        return None
    parts = str(value).split(",")
    return len(parts) if value is not None and all(part.strip().isdigit() for part in parts) else None


def _of_sections(program: Program, each: Configuration) -> Iterator[Conflict]:
    tables = program.knowledge.tables
    section = each.section("deepspeed_config")
    if section is not None and each.kind == "DEEPSPEED" and (file := section[1].item("deepspeed_config_file")) is not None:
        both = [item for item in section[1].items if item.key.value in tables["accelerate.refused"]["beside_a_file"]]
        if both and isinstance(file.value, Scalar) and file.value.value not in (None, "none"):
            names = ", ".join(f"`{item.key.value}`" for item in both)
            why = f"accelerate takes a file of DeepSpeed's, or these settings, and stops at its start where it has both: {names}."
            yield Conflict(_place(each, both[0]), why, (_place(each, file),))
    section = each.section("fsdp_config")
    if section is not None and each.kind == "FSDP":
        loads, syncs = (section[1].item(f"fsdp_{name}") for name in ("cpu_ram_efficient_loading", "sync_module_states"))
        if loads is not None and syncs is not None and _is(loads, True) and _is(syncs, False):
            why = "Only one process loads the weights then, and the others must get them from it: accelerate stops at its start."
            yield Conflict(_place(each, syncs), why, (_place(each, loads),))


def _is(item: Item, value: object) -> bool:
    return isinstance(item.value, Scalar) and item.value.value is value


def _place(each: Configuration, item: Item) -> Place:
    value = item.value.value if isinstance(item.value, Scalar) else None
    shown = "" if value is None else f": {str(value).lower() if isinstance(value, bool) else value}"
    if item.key.value == "distributed_type":
        shown = f": {each.kind}"
    return Place(each.document.path, item.key.spot, f"{item.key.value}{shown}")
