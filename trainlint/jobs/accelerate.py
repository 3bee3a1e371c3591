"""accelerate's configurations, and everything that is said twice about a job and not alike.

A configuration (``accelerate config`` writes it) against itself; the line that names it, with its options and the
GPUs that it can see; and what the script says that the line starts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainlint.documents.tree import Item, Mapping, Scalar, Sequence
from trainlint.ir.nodes import Attr, Const
from trainlint.ir.sketch import Keep, Store
from trainlint.ir.walk import of_kind
from trainlint.jobs.launch_lines import Launch, Launcher, Option, launches, named_documents
from trainlint.jobs.parallel_configurations import is_count
from trainlint.knowledge.words import read
from trainlint.program.call_graph import CallGraph, CallSite
from trainlint.program.environment import defaults_of
from trainlint.program.values import Context, Library, LibraryObject, Unresolved

if TYPE_CHECKING:
    from trainlint.documents.document import Document
    from trainlint.documents.shell import Assignment
    from trainlint.finding import Spot
    from trainlint.ir.nodes import Term
    from trainlint.program.program import Program


@dataclass(frozen=True)
class Configuration:
    """A configuration, with the lines that start something with it; ``kind`` is its distributed type, in capitals (``NO``)."""

    document: Document
    mapping: Mapping
    kind: str | None
    lines: tuple[Launch, ...] = ()

    def number(self, key: str) -> int | None:
        """A count that it gives."""
        value = self.mapping.value(key)
        return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None

    def section(self, key: str) -> tuple[Item, Mapping] | None:
        """A section that says something."""
        item = self.mapping.item(key)
        return (item, item.value) if item is not None and isinstance(item.value, Mapping) and item.value.items else None


@dataclass(frozen=True)
class Place:
    """Something that is said somewhere."""

    path: str
    spot: Spot
    says: str


@dataclass(frozen=True)
class Conflict:
    """Two things that are not both done: ``at`` is the one that is lost, or refused; in the code it is in a ``statement``."""

    at: Place
    why: str
    others: tuple[Place, ...] = ()
    statement: Spot | None = None


def configurations(program: Program) -> list[Configuration]:
    """All of them, by file."""
    named: dict[str, list[Launch]] = {}
    for launch in program.ask(launches):
        document = named_by(program, launch)
        if document is not None:
            named.setdefault(document.path, []).append(launch)
    return [
        Configuration(document, root, _kind(root), tuple(named.get(document.path, ())))
        for document in program.documents.of(read(program.knowledge, "accelerate"), "yaml", "json")
        for root in document.roots
        if isinstance(root, Mapping) and is_configuration(program, root)
    ]


def is_configuration(program: Program, mapping: Mapping) -> bool:
    """Whether a mapping is one, by its keys."""
    table = program.knowledge.tables["accelerate.configuration"]
    return all(key in mapping for key in table["all"]) and any(key in mapping for key in table["any"])


def named_by(program: Program, launch: Launch) -> Document | None:
    """The configuration file that a line of accelerate's names."""
    launcher = launch.launcher("accelerate")
    option = None if launcher is None else launcher.option("--config-file")
    if option is None or option.value is None:
        return None
    return next((document for word, document in named_documents(program, launch) if word == option.value), None)


def _kind(mapping: Mapping) -> str | None:
    value = mapping.value("distributed_type")
    if value is False:  # `NO`, as YAML reads it
        return "NO"
    return value.upper() if isinstance(value, str) and value.isascii() and value.replace("_", "").isalnum() else None


def configuration_conflicts(program: Program) -> Iterator[Conflict]:
    """The contradictions in each file; those about its type only where no line chooses another one."""
    for each in configurations(program):
        if each.kind is None or "SAGEMAKER" in str(each.mapping.value("compute_environment")).upper():
            continue
        if not _chooses(program, each):
            yield from _of_type(program, each)
        yield from _of_own_counts(each)
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
        yield Conflict(_place_of_item(each, count), why, (_place_of_item(each, kind),))
    for name, owner in program.knowledge.tables["accelerate.sections"].items():
        section = each.section(name)
        if section is not None and each.kind != owner:
            why = f"accelerate reads this section for the type {owner} only: with {each.kind} it is ignored."
            yield Conflict(_place_of_item(each, section[0]), why, (_place_of_item(each, kind),))


def _is_overridden(each: Configuration, option: str = "--num-processes") -> bool:
    """Whether a line that names a file gives something itself: the number of processes."""
    launchers = (line.launcher("accelerate") for line in each.lines)
    return any(launcher is not None and launcher.option(option) is not None for launcher in launchers)


def _of_own_counts(each: Configuration) -> Iterator[Conflict]:
    """Processes against machines and GPUs. All processes are counted, on all machines."""
    count, machines = each.mapping.item("num_processes"), each.mapping.item("num_machines")
    number, nodes = each.number("num_processes"), each.number("num_machines")
    if count is None or number is None or _is_overridden(each):
        return
    if nodes is not None and nodes > 1 and machines is not None and number % nodes and each.kind != "NO":
        own = number // nodes
        why = f"The number counts the processes of all machines, and each starts {own}: {own * nodes} in all."
        yield Conflict(_place_of_item(each, count), why, (_place_of_item(each, machines),))
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
        why = f"Each process needs its own GPU, and there {many}: the job fails at startup."
        yield Conflict(_place_of_item(each, count), why, (_place_of_item(each, ids),))
    elif have == 1 and str(each.kind).startswith("MULTI_") and not each.lines:
        why = f"accelerate needs two GPUs or more for {each.kind}, or all of them, and fails at startup."
        yield Conflict(_place_of_item(each, ids), why, (_place_of_item(each, kind),))


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
            why = f"accelerate takes a DeepSpeed file or these settings, and fails at startup where it has both: {names}."
            yield Conflict(_place_of_item(each, both[0]), why, (_place_of_item(each, file),))
    section = each.section("fsdp_config")
    if section is not None and each.kind == "FSDP":
        loads, syncs = (section[1].item(f"fsdp_{name}") for name in ("cpu_ram_efficient_loading", "sync_module_states"))
        if loads is not None and syncs is not None and _is(loads, True) and _is(syncs, False):
            why = "Only one process then loads the weights, and the rest must get them from it: accelerate fails at startup."
            yield Conflict(_place_of_item(each, syncs), why, (_place_of_item(each, loads),))


def _is(item: Item, value: object) -> bool:
    return isinstance(item.value, Scalar) and item.value.value is value


def _place_of_item(each: Configuration, item: Item) -> Place:
    value = item.value.value if isinstance(item.value, Scalar) else None
    shown = "" if value is None else f": {str(value).lower() if isinstance(value, bool) else value}"
    if item.key.value == "distributed_type":
        shown = f": {each.kind}"
    return Place(each.document.path, item.key.spot, f"{item.key.value}{shown}")


def launch_conflicts(program: Program) -> Iterator[Conflict]:
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
        why = "accelerate takes one of them, and fails at startup where it has two."
        yield Conflict(_place_of_option(launch, second), why, (_place_of_option(launch, first),))
        return
    count = launcher.option("--num-processes")
    many = launcher.option("--multi-gpu")
    if many is not None and count is not None and count.number is not None and count.number < 2:  # noqa: PLR2004 (more than one)
        yield Conflict(
            _place_of_option(launch, many),
            "With it, accelerate needs two processes or more, and exits at startup otherwise.",
            (_place_of_option(launch, count),),
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
        f"The option decides: the job runs as {own}, and {configuration.kind} with its section `{section}` is ignored. "
        "Remove the option, and the file selects the type."
    )
    there = Place(configuration.document.path, kind.key.spot, f"distributed_type: {configuration.kind}")
    yield Conflict(_place_of_option(launch, option), why, (there,))


def _of_options(program: Program, launch: Launch, launcher: Launcher, configuration: Configuration | None) -> Iterator[Conflict]:
    """Options that are read for another type than that of the job: the first of each type."""
    tables = program.knowledge.tables
    chosen = [option for option in launcher.options if option.name in tables["accelerate.kinds"]]
    kind = tables["accelerate.kinds"][chosen[-1].name] if chosen else None if configuration is None else configuration.kind
    type_of = None if configuration is None else configuration.mapping.item("distributed_type")
    if kind is None or (not chosen and type_of is None):
        return
    if chosen or configuration is None or type_of is None:
        there = _place_of_option(launch, chosen[-1])
    else:
        there = Place(configuration.document.path, type_of.key.spot, f"distributed_type: {kind}")
    for owner, beginnings in tables["accelerate.options"].items():
        first = next((option for option in launcher.options if option.name.startswith(tuple(beginnings))), None)
        if first is not None and owner != kind:
            yield Conflict(
                _place_of_option(launch, first),
                f"accelerate reads it for the type {owner} only: here it is ignored.",
                (there,),
            )


def _of_counts(launch: Launch, launcher: Launcher, configuration: Configuration | None) -> Iterator[Conflict]:
    count, nodes = launcher.option("--num-processes"), launcher.option("--num-machines")
    number = _number_of_option(count, configuration, "num_processes")
    machines = _number_of_option(nodes, configuration, "num_machines")
    if number is None or launcher.option("--cpu") is not None:
        return
    if configuration is not None and (
        configuration.kind in ("NO", "MULTI_CPU", None) or configuration.mapping.value("use_cpu") is True
    ):
        return
    here = (
        _place_of_option(launch, count)
        if count is not None
        else Place(launch.document.path, launch.command.spot, f"{number} processes")
    )
    if machines is not None and machines > 1:
        if number % machines and (count is not None or nodes is not None):
            own = number // machines
            why = f"The number counts the processes of all machines, each of {machines} starts {own}: {own * machines} in all."
            other = () if nodes is None else (_place_of_option(launch, nodes),)
            yield Conflict(here, why, other)
        return
    if nodes is not None and machines is None:
        return
    seen = _seen(launch, launcher, configuration)
    if seen is not None and number > seen[0]:
        many = "is one" if seen[0] == 1 else f"are {seen[0]}"
        why = f"Each process needs its own GPU, and there {many} visible: the job fails at startup."
        yield Conflict(here, why, (seen[1],))


def _number_of_option(option: Option | None, configuration: Configuration | None, key: str) -> int | None:
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
        return None if count is None else (count, _place_of_option(launch, option))
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


def _place_of_option(launch: Launch, option: Option) -> Place:
    shown = option.word.text or option.word.start
    if option.value is not None and "=" not in shown:
        shown = f"{shown} {option.text if option.text is not None else option.value.written}"
    return Place(launch.document.path, option.word.spot, shown)


_ACCELERATOR, _PLUGIN = "accelerate.Accelerator", "accelerate.FullyShardedDataParallelPlugin"
_STEPS = "gradient_accumulation_steps"
#: What a script sets that gives DeepSpeed its steps itself.
_OWN = ("deepspeed_config", "hf_ds_config", "deepspeed_plugin")


def script_conflicts(program: Program) -> Iterator[Conflict]:
    """The contradictions of the scripts in a program, each at the call that makes the ``Accelerator``."""
    told: set[tuple[str, object, str]] = set()
    for configuration in configurations(program):
        for launch in configuration.lines:
            kind = _kind_of_plugin(program, launch, configuration)
            for conflict in _parsed(program, launch, configuration, kind):
                told.add((conflict.at.path, conflict.at.spot, conflict.at.says))
                yield conflict
            for site in _sites(program, launch.path or ""):
                found = [*_steps(program, site, launch, configuration, kind), *_plugin(program, site, configuration, kind)]
                for conflict in found:
                    key = (conflict.at.path, conflict.at.spot, conflict.at.says)
                    if key not in told:
                        told.add(key)
                        yield conflict


def _kind_of_plugin(program: Program, launch: Launch, configuration: Configuration) -> str | None:
    """The distributed type of a line."""
    kinds = program.knowledge.tables["accelerate.kinds"]
    launcher = launch.launcher("accelerate")
    chosen = [option.name for option in launcher.options if option.name in kinds] if launcher is not None else []
    return kinds[chosen[-1]] if chosen else configuration.kind


def _sites(program: Program, path: str) -> Iterator[CallSite]:
    for site in program.ask(CallGraph).sites_named(_ACCELERATOR.rpartition(".")[2]):
        if site.module == path:
            targets = program.ask(CallGraph).targets(site.call.term, program.frame(site.module, site.function))
            if any(isinstance(each, Library) and each.name == _ACCELERATOR for each in targets):
                yield site


def _steps(
    program: Program, site: CallSite, launch: Launch, configuration: Configuration, kind: str | None
) -> Iterator[Conflict]:
    section = configuration.section("deepspeed_config")
    item = None if section is None else section[1].item(_STEPS)
    launcher = launch.launcher("accelerate")
    if item is None or kind != "DEEPSPEED" or launcher is None or launcher.option("--gradient-accumulation-steps") is not None:
        return
    stated = item.value.value if isinstance(item.value, Scalar) else None
    given = _keyword(site, _STEPS)
    said = None if given is None else _number_of_term(program, site, given, launch)
    if not is_count(stated) or said is None or said == stated or _sets_its_own(program, site):
        return
    why = (
        f"The configuration wins: DeepSpeed steps after {stated}, whatever the script says. "
        'Set the same there, or write "auto" for DeepSpeed\'s own file.'
    )
    there = Place(configuration.document.path, item.key.spot, f"{_STEPS}: {stated}")
    line = Place(launch.document.path, launch.command.spot, "this starts the script with it")
    yield Conflict(Place(site.module, site.call.term.site, f"{_STEPS}={said}"), why, (there, line), site.call.statement)


def _parsed(program: Program, launch: Launch, configuration: Configuration, kind: str | None) -> Iterator[Conflict]:
    """The accumulation steps of a line whose script hands its options to transformers."""
    option = launch.argument(f"--{_STEPS.replace('_', '-')}")
    section = configuration.section("deepspeed_config")
    item = None if section is None else section[1].item(_STEPS)
    stated = item.value.value if item is not None and isinstance(item.value, Scalar) else None
    if launch.path not in program.modules or kind != "DEEPSPEED" or option is None or item is None or not is_count(stated):
        return
    if option.number in (None, stated) or not _takes_options(program, launch.path or ""):
        return
    why = "transformers compares both, and fails at startup where they differ. Set the same, or remove it from the file."
    there = Place(configuration.document.path, item.key.spot, f"{_STEPS}: {stated}")
    yield Conflict(Place(launch.document.path, option.word.spot, f"{option.word.text} {option.number}"), why, (there,))


def _takes_options(program: Program, path: str) -> bool:
    """Whether a script has transformers read its command line, and nobody else reads the accumulation steps."""
    if defaults_of(program, _STEPS, path):
        return False
    names = program.knowledge.tables["accelerate.parsers"]["names"]
    for site in (site for name in names for site in program.ask(CallGraph).sites_named(name.rpartition(".")[2])):
        targets = program.ask(CallGraph).targets(site.call.term, program.frame(site.module, site.function))
        is_theirs = any(isinstance(each, Library) and each.name in names for each in targets)
        if is_theirs and program.together(site.module, path):
            return True
    return False


def _plugin(program: Program, site: CallSite, configuration: Configuration, kind: str | None) -> Iterator[Conflict]:
    given = _keyword(site, "fsdp_plugin")
    frame = program.frame(site.module, site.function)
    values = () if given is None else program.values(given, frame)
    made = [value for value in values if isinstance(value, LibraryObject) and value.name == _PLUGIN and value.call is not None]
    if len(values) != 1 or not made:
        return
    at = Place(site.module, site.call.term.site, "fsdp_plugin=")
    type_of = configuration.mapping.item("distributed_type")
    if kind == "DEEPSPEED" and configuration.kind == kind and type_of is not None:
        there = Place(configuration.document.path, type_of.key.spot, "distributed_type: DEEPSPEED")
        why = "The configuration wins: DeepSpeed trains the model, and the plugin is ignored."
        yield Conflict(at, why, (there,), site.call.statement)
    section = configuration.section("fsdp_config")
    call, inner = made[0].call, made[0].frame
    if kind != "FSDP" or section is None or call is None or inner is None:
        return
    for name, term in call.kwargs:
        key = None if name is None else program.knowledge.tables["accelerate.plugin"].get(name)
        item = None if key is None else section[1].item(str(key)) or section[1].item(str(key).removeprefix("fsdp_"))
        said = None if item is None else _word(program, term, inner)
        stated = None if item is None else _stated(item)
        if item is not None and said is not None and stated is not None and said != stated:
            there = Place(configuration.document.path, item.key.spot, f"{item.key.value}: {_shown(item)}")
            why = f"The plugin's `{name}` wins, and the setting of the file is ignored."
            yield Conflict(Place(at.path, at.spot, f"{name}={said.lower()}"), why, (there,), site.call.statement)


def _keyword(site: CallSite, name: str) -> Term | None:
    return next((term for keyword, term in site.call.term.kwargs if keyword == name), None)


def _number_of_term(program: Program, site: CallSite, term: Term, launch: Launch) -> int | None:
    """How many steps a script asks for: a constant, or an option that the line gives, or leaves at its default."""
    values = program.values(term, program.frame(site.module, site.function))
    if len(values) == 1 and isinstance(values[0], Unresolved) and isinstance(values[0].term, Const):
        value = values[0].term.value
        return value if isinstance(value, int) and not isinstance(value, bool) else None
    if not isinstance(term, Attr):
        return None
    option = launch.argument("--" + term.name.replace("_", "-"))
    defaults = defaults_of(program, term.name, site.module)
    if option is not None:
        return option.number if defaults else None
    if any(word.text is None and word.many for word in launch.arguments):
        return None
    default = next(iter(defaults)) if len(defaults) == 1 else None
    return default if isinstance(default, int) and not isinstance(default, bool) else None


def _sets_its_own(program: Program, site: CallSite) -> bool:
    """Whether the script of a call sets something of DeepSpeed's configuration itself."""
    if any(name in ("deepspeed_plugin", "deepspeed_plugins", None) for name, _ in site.call.term.kwargs):
        return True
    for function in program.modules[site.module].functions.values():
        for target in [keep.target for keep in of_kind(function, Keep)] + [store.target for store in of_kind(function, Store)]:
            if any(word in repr(target) for word in _OWN):
                return True
    return False


def _word(program: Program, term: Term, frame: Context) -> str | None:
    """A setting, in capitals: a constant, or the last part of the name of a library's (``ShardingStrategy.FULL_SHARD``)."""
    values = program.values(term, frame)
    if len(values) != 1:
        return None
    if isinstance(values[0], Library):
        return values[0].name.rpartition(".")[2].upper()
    if (
        isinstance(values[0], Unresolved)
        and isinstance(values[0].term, Const)
        and isinstance(values[0].term.value, (str, bool, int))
    ):
        return str(values[0].term.value).upper()
    return None


def _stated(item: Item) -> str | None:
    value = item.value.value if isinstance(item.value, Scalar) else None
    # A sharding strategy may be a number, too.
    return None if value is None or (isinstance(value, int) and not isinstance(value, bool)) else str(value).upper()


def _shown(item: Item) -> str:
    value = item.value.value if isinstance(item.value, Scalar) else None
    return str(value).lower() if isinstance(value, bool) else str(value)


def contradictions(program: Program) -> Iterator[Conflict]:
    """Those of the files and lines in the program without modules, those of the scripts in the others."""
    if program.modules:
        yield from script_conflicts(program)
        return
    told: set[object] = set()
    for found in (*configuration_conflicts(program), *launch_conflicts(program)):
        if (found.at.path, found.at.spot) not in told:
            told.add((found.at.path, found.at.spot))
            yield found
