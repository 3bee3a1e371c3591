"""What a script says of accelerate against the configuration that a line starts it with.

accelerate 1.15, ``accelerator.py``, ``state.py``, ``utils/dataclasses.py``: DeepSpeed's accumulation steps go before those of the
``Accelerator``, which takes them out of the environment; DeepSpeed goes before a plugin for FSDP; the arguments of that plugin go
before the configuration.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.documents.tree import Item, Scalar
from trainlint.facts.accelerated.configurations import Configuration, Conflict, Place, configurations
from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.command_line import defaults_of
from trainlint.facts.values import Frame, Library, Made, Other
from trainlint.ir.nodes import Attr, Const
from trainlint.ir.sketch import Keep, Store
from trainlint.ir.walk import of_kind

if TYPE_CHECKING:
    from trainlint.facts.launching.launches import Launch
    from trainlint.facts.program import Program
    from trainlint.ir.nodes import Term

_ACCELERATOR, _PLUGIN = "accelerate.Accelerator", "accelerate.FullyShardedDataParallelPlugin"
_STEPS = "gradient_accumulation_steps"
#: What a script sets that gives DeepSpeed its steps itself.
_OWN = ("deepspeed_config", "hf_ds_config", "deepspeed_plugin")


def scripted(program: Program) -> Iterator[Conflict]:
    """The contradictions of the scripts in a program, each at the call that makes the ``Accelerator``."""
    told: set[tuple[str, object, str]] = set()
    for configuration in configurations(program):
        for launch in configuration.lines:
            kind = _kind(program, launch, configuration)
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


def _kind(program: Program, launch: Launch, configuration: Configuration) -> str | None:
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
    said = None if given is None else _number(program, site, given, launch)
    if not _is_count(stated) or said is None or said == stated or _sets_its_own(program, site):
        return
    why = (
        f"The configuration decides: DeepSpeed steps after {stated}, whatever the script says. "
        'Say the same there, or write "auto" for DeepSpeed\'s own file.'
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
    if launch.path not in program.modules or kind != "DEEPSPEED" or option is None or item is None or not _is_count(stated):
        return
    if option.number in (None, stated) or not _takes_options(program, launch.path or ""):
        return
    why = "transformers compares both, and stops at its start where they differ. Say the same, or leave it out of the file."
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
    made = [value for value in values if isinstance(value, Made) and value.name == _PLUGIN and value.call is not None]
    if len(values) != 1 or not made:
        return
    at = Place(site.module, site.call.term.site, "fsdp_plugin=")
    type_of = configuration.mapping.item("distributed_type")
    if kind == "DEEPSPEED" and configuration.kind == kind and type_of is not None:
        there = Place(configuration.document.path, type_of.key.spot, "distributed_type: DEEPSPEED")
        why = "The configuration decides: the model is trained by DeepSpeed, and the plugin is passed over."
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
            why = f"The plugin's `{name}` decides, and the setting of the file is passed over."
            yield Conflict(Place(at.path, at.spot, f"{name}={said.lower()}"), why, (there,), site.call.statement)


def _keyword(site: CallSite, name: str) -> Term | None:
    return next((term for keyword, term in site.call.term.kwargs if keyword == name), None)


def _number(program: Program, site: CallSite, term: Term, launch: Launch) -> int | None:
    """How many steps a script asks for: a constant, or an option that the line gives, or leaves at its default."""
    values = program.values(term, program.frame(site.module, site.function))
    if len(values) == 1 and isinstance(values[0], Other) and isinstance(values[0].term, Const):
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


def _word(program: Program, term: Term, frame: Frame) -> str | None:
    """A setting, in capitals: a constant, or the last part of the name of a library's (``ShardingStrategy.FULL_SHARD``)."""
    values = program.values(term, frame)
    if len(values) != 1:
        return None
    if isinstance(values[0], Library):
        return values[0].name.rpartition(".")[2].upper()
    if isinstance(values[0], Other) and isinstance(values[0].term, Const) and isinstance(values[0].term.value, (str, bool, int)):
        return str(values[0].term.value).upper()
    return None


def _stated(item: Item) -> str | None:
    value = item.value.value if isinstance(item.value, Scalar) else None
    # A sharding strategy may be a number, too.
    return None if value is None or (isinstance(value, int) and not isinstance(value, bool)) else str(value).upper()


def _shown(item: Item) -> str:
    value = item.value.value if isinstance(item.value, Scalar) else None
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0
