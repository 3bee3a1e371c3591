"""The training jobs of a project: its scripts that train, each with what it runs, how it is started, and what was found in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterator
from collections.abc import Mapping as Table
from functools import cached_property

from packaging.version import Version

from trainlint.app.preflight.commands import Starter, hands_over, starters
from trainlint.app.preflight.instantiation.targets import TARGET, Aim, aim_of, aims
from trainlint.app.preflight.line import Evidence, Line, Place, Verdict
from trainlint.app.preflight.running.implicit_calls import commands
from trainlint.app.preflight.running.steps_by_name import never_repeats, step_by_name
from trainlint.app.preflight.running.trail import Trail
from trainlint.app.preflight.settings.config_trees import tree_of
from trainlint.app.preflight.settings.launch_lines import reads_files, says, trains
from trainlint.app.preflight.settings.options import Options
from trainlint.app.preflight.values.words import OFF, known
from trainlint.documents.document import lies_above
from trainlint.documents.orders import orders
from trainlint.documents.requirements import Wanted
from trainlint.documents.tree import Mapping
from trainlint.domains.training_scripts import entries
from trainlint.finding import Finding, Spot
from trainlint.ir.nodes import Access, Call, Const
from trainlint.jobs.deepspeed import configurations
from trainlint.jobs.launch_lines import Launch, launches, named_documents
from trainlint.knowledge.words import read
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.imports import imported
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.regular import absolute_path

_TOP = "<module>"
#: How the names of what takes gradients with JAX begin.
_JAX = ("jax.", "equinox.", "flax.")


class Job:
    """One script that trains.

    ``framework`` is who runs the loop (``loop``: the project itself). ``place`` is the call that starts the training,
    ``launches`` are the lines that start the script (``is_shown``: those by which people are told how to).
    """

    def __init__(self, program: Program, path: str, place: Spot, trail: Trail, framework: str) -> None:
        self.program = program
        self.path = path
        self.place = place
        self.trail = trail
        self.options = trail.options
        self.launches: tuple[Launch, ...] = trail.options.launches
        self.is_shown = False
        self.framework = framework
        #: The same job with other files that it may be handed, each of which names other classes.
        self.others: tuple[Job, ...] = ()

    @cached_property
    def starters(self) -> tuple[Starter, ...]:
        """The scripts of the project that start this one."""
        return starters(self.program, self.path)

    @property
    def submitters(self) -> tuple[str, ...]:
        """Those of them that submit it to a cluster, with its own options."""
        return tuple(each.path for each in self.starters if each.submits)

    @cached_property
    def files(self) -> frozenset[str]:
        """The files of its trail."""
        return self.trail.files

    @cached_property
    def library(self) -> str:
        """What computes: ``torch``, ``xla`` (torch_xla), ``jax`` or ``tensorflow``."""
        if self.trail.imports_always("torch_xla") or any(
            each.way is not None and each.way.option is None for each in self.trail.calls(known(self.program, "starts-xla"))
        ):
            return "xla"
        if self.trail.libraries("torch", "lightning", "pytorch_lightning", "transformers", "accelerate", "deepspeed"):
            own = (each for each in known(self.program, "gradients") if each.startswith(_JAX))
            return "jax" if self.framework == "jax" and self.trail.calls(own) else "torch"
        return (
            "jax"
            if self.trail.libraries("jax", "flax")
            else "tensorflow"
            if self.trail.libraries("tensorflow", "keras")
            else "torch"
        )

    @cached_property
    def is_distributed(self) -> bool | None:
        """Whether several processes train together: True where the code or a launch line says so; None: it may be."""
        if any(launch.launcher(*known(self.program, "launchers")) for launch in self.launches):
            return True
        if self.framework == "lightning" and self._uses_one_device:
            return False
        found = self.trail.calls(known(self.program, "distributed"))
        if any(place.way is not None for place in found):
            return True
        hosts = frozenset(known(self.program, "hosts"))
        if self.framework == "jax" and any(
            each.way is not None and not hosts.isdisjoint(each.way.words) for each in self.trail.places
        ):
            return None  # what a host does depends on which it is: started on several it is one job
        return None if found or self.framework not in ("loop", "keras", "jax") else False

    @property
    def _uses_one_device(self) -> bool:
        """Whether a trainer is told to use one device."""
        given = [
            value
            for each in self.trail.calls(("devices=", "gpus="))
            if each.way is not None and isinstance(each.term, Call)
            for keyword, value in each.term.kwargs
            if keyword in ("devices", "gpus")
        ]
        return bool(given) and all(isinstance(value, Const) and value.value in (1, "1") for value in given)

    @property
    def does_itself(self) -> bool:
        """Whether the project runs the loop, and no trainer of a framework does."""
        return self.framework in ("loop", "jax", "deepspeed", "fabric", "accelerate")

    def is_beside(self, path: str) -> bool:
        """Whether a file beside the Python lies in the script's folder, or in one above it."""
        return lies_above(path, self.path)

    def runs(self, finding: Finding) -> bool:
        """Whether a finding is in something that the job runs, or in a file beside the Python that starts it, or on its way."""
        path = absolute_path(finding.path)
        if any(path == launch.document.path for launch in self.launches):
            return True
        if self.program.documents.at(path) is not None:
            return self.is_beside(path)
        if path not in self.files:
            return False
        return finding.cell is not None or (
            self.trail.runs_at(path, finding.span.line) and self.trail.option_at(path, finding.span.line) is None
        )

    def asks_below(self, package: str, version: str) -> Evidence | None:
        """Where a file on the way to the script asks for releases of a package which are all older than one."""
        for path, wanted in self._asked(package):
            if any(
                each.operator in ("<", "<=", "==", "~=") and Version(each.version.removesuffix(".*")) <= Version(version)
                for each in wanted.versions
            ) and not wanted.versions.contains(version):
                return Evidence(path, wanted.spot, f"asks for {package}{wanted.versions}")
        return None

    def asks_for(self, package: str, version: str) -> Evidence | None:
        """Where one asks for releases of which it names one that is not older."""
        for path, wanted in self._asked(package):
            names = [each.version.removesuffix(".*") for each in wanted.versions if each.operator not in ("!=", "===")]
            if any(Version(each) >= Version(version) for each in names):
                return Evidence(path, wanted.spot, f"asks for {package}{wanted.versions}")
        return None

    def _asked(self, package: str) -> Iterator[tuple[str, Wanted]]:
        """What files on the way to the script ask for, of a package."""
        words = {*read(self.program.knowledge, "versions"), *(word.encode() for word in known(self.program, "asked-for"))}
        for document in self.program.documents.of(words):
            if self.is_beside(document.path):
                found = (each for order in orders(document) for each in order.wanted if each.name == package)
                yield from ((document.path, each) for each in found)

    def here(self, what: str) -> Evidence:
        """The call that trains, as evidence."""
        return Evidence(self.path, self.place, f"{what} is started here")

    def launched(self, *names: str) -> Evidence | None:
        """A launch line that says one of these options to something that is not off, where all that train do.

        Options are those of the launcher, of the script, and the items of files that a line names.
        """
        lines = [each for each in self.launches if trains(each)] or list(self.launches)
        # one that hands on only what its own caller says, ``"$2"``, decides nothing beside others
        lines = [each for each in lines if not each.arguments or any(word.text is not None for word in each.arguments)] or lines
        said = [self._said(launch, names) for launch in lines]
        return said[0] if all(each is not None for each in said[1:]) and said else None

    def _said(self, launch: Launch, names: tuple[str, ...]) -> Evidence | None:
        options = [launch.argument(*names, *(name.replace("-", "_").replace("__", "--", 1) for name in names))]
        options += [each.option(*names) for each in launch.launchers]
        for option in options:
            if option is not None and (option.text or "on").lower() not in ("no", "false", "0", "fp32", "none"):
                return Evidence(launch.document.path, launch.command.spot, f"{option.name} stands here")
        if any(option is not None for option in options):
            return None
        return says(self.program, launch, *names) if self.reads_files else None

    @cached_property
    def reads_files(self) -> bool:
        """Whether the job may be handed a file of arguments in place of options."""
        return reads_files(self.program, self.files)

    def configured(self, *keys: str) -> Evidence | None:
        """Where a configuration of DeepSpeed that belongs to the job has one of some keys, and not switched off."""
        if not self.trail.libraries("deepspeed") and not any(each.launcher("deepspeed", "accelerate") for each in self.launches):
            return None
        named = {document.path for launch in self.launches for _, document in named_documents(self.program, launch)}
        for key in keys:
            where = self.trail.holds(key, OFF)
            if where is not None and self.trail.libraries("deepspeed"):
                return where
        found = list(configurations(self.program))
        near = os.path.dirname(self.path)  # noqa: PTH120
        for each in found:
            if each.document.path not in named and not (len(found) == 1 and each.document.path.startswith(near)):
                continue
            for key in keys:
                item = each.mapping.item(key)
                if item is None:
                    continue
                said = each.mapping.value(key, "enabled") if isinstance(item.value, Mapping) else each.mapping.value(key)
                if said not in (False, None, 0, "auto"):  # what is left to the trainer, its own arguments say
                    return Evidence(each.document.path, item.key.spot, f"`{key}` is configured")
        return None

    def said_elsewhere(self) -> Line | None:
        """The line of a job whose launcher or configuration says what the code does not."""
        if self.framework == "accelerate" and self.trail.calls(known(self.program, "accelerators")):
            why = "`accelerate config` or `accelerate launch --mixed_precision` decides."
            return Line(Verdict.UNKNOWN, why, (self.here("the training"),), "print(accelerator.mixed_precision)")
        if self.framework == "deepspeed":
            why = "DeepSpeed's configuration decides, and which one is read could not be determined."
            return Line(Verdict.UNKNOWN, why, (self.here("the training"),), "look at the configuration that the job is given")
        if self.framework == "transformers" and self.trail.calls(known(self.program, "parsed-arguments")):
            why = "--bf16 and --fp16 decide, and are off by default."
            return Line(Verdict.UNKNOWN, why, (self.here("the trainer"),), "look whether the job is started with --bf16")
        return None


def jobs(program: Program, targets: Container[str], shown: Callable[[str], tuple[Launch, ...]]) -> Iterator[Job]:
    """Those of some files, by path; ``shown`` gives the lines by which people are told how to start a script."""
    lines = program.ask(launches)
    started = {entry.module: entry.start.call.term.site for entry in entries(program)}
    for path in sorted(each for each in program.modules if each in targets):
        own = tuple(launch for launch in lines if launch.path == path or hands_over(launch, path))
        found = _job(program, path, own, started.get(path)) or _job_of_configuration(program, path, own)
        if found is not None and not own and found.submitters:
            own = tuple(launch for launch in lines if launch.path in found.submitters)
            found = (_job(program, path, own, started.get(path)) if own else None) or found
        if found is not None and not own:
            told = shown(path) or tuple(launch for each in found.submitters for launch in shown(each))
            found = (_job(program, path, told, started.get(path)) if told else None) or found
            found.is_shown = bool(found.launches)
        if found is not None:
            yield _aimed(program, found, started.get(path))


def _job_of_configuration(program: Program, path: str, own: tuple[Launch, ...]) -> Job | None:
    """The job of a script that imports nothing of what trains: a configuration that Hydra puts together names it."""
    top = program.modules[path].functions.get(_TOP)
    if top is None or not any(each.partition(".")[0] == "hydra" for each in imported(program.modules[path])):
        return None
    composed = _composed(program, path, Trail(program, path, Options(program, path, own)), top.spot)
    return next((found for aim in composed if (found := _job(program, path, own, None, aim)) is not None), None)


def _aimed(program: Program, job: Job, start: Spot | None) -> Job:
    """A job as the files say it is made that it may be handed: with the first of them, which the others stand beside."""
    named = aims(program, job.path, job.launches) or _composed(program, job.path, job.trail, job.place)
    found = [other for aim in named if (other := _job(program, job.path, job.launches, start, aim))]
    if not found:
        return job
    for each in found:
        each.is_shown = job.is_shown
    found[0].others = tuple(found[1:])
    return found[0]


def _composed(program: Program, path: str, trail: Trail, place: Spot) -> tuple[Aim, ...]:
    """What a configuration has made that Hydra puts together, but for groups of which a launch line chooses another file."""
    sources, launches = trail.options.configurations.sources, trail.options.launches
    if not sources.base or not sources.composed:
        return ()
    chosen = {(word.text or word.start or "").partition("=")[0].lstrip("+~") for each in launches for word in each.arguments}
    held = {keys: each for keys, each in sources.composed.items() if keys and keys[0] not in chosen}
    aim = aim_of(program, path, "", (tree_of(held, place),))
    made = {str(each.value[0]) for keys, each in held.items() if keys[-1] == TARGET and each.value is not None}
    seen = {each.partition(".")[0] for file in (*trail.files, *aim.files) for each in imported(program.modules[file])}
    # what it is that has a name of which no file of the job imports anything, nobody knows
    is_whole = aim.is_whole and all(each.partition(".")[0] in seen for each in made - aim.classes.keys())
    is_whole = is_whole and not any(keys[-1] == TARGET for keys in sources.composed.keys() - held.keys())
    return (aim._replace(is_whole=is_whole),) if made else ()


def _job(program: Program, path: str, own: tuple[Launch, ...], start: Spot | None, aim: Aim | None = None) -> Job | None:
    """The job of a script that is started by some lines; ``start`` is where its own loop is started, if it has one."""
    trail = Trail(program, path, Options(program, path, own), aim)
    fit = _framework(program, path, trail)
    if start is not None and not never_repeats(trail):
        framework = fit[0] if fit is not None and fit[0] == "lightning" else "loop"
        return Job(program, path, start, trail, _named(program, trail, framework))
    return None if fit is None else Job(program, path, fit[1], trail, _named(program, trail, fit[0]))


def _framework(program: Program, path: str, trail: Trail) -> tuple[str, Spot] | None:
    """The call of a script by which a framework trains, and that framework; or the loop of a project without backward passes."""
    top = program.modules[path].functions.get(_TOP)
    if top is None or tests_software(program, path, top) or not (calls_of(top) or path in program.ask(commands)):
        return None
    table: Table[str, str] = program.knowledge.tables["preflight.trains"]
    pipelined = known(program, "pipeline-steps") if trail.libraries("deepspeed") else []
    names = {name.rpartition(".")[2] for name in (*table, *known(program, "steps"), *known(program, "backward"), *pipelined)}
    index = program.ask(CallGraph)
    called = any(site.module in trail.files for name in names for site in index.sites.get(name, ()))
    derived = any(
        last_name(base) in names for each in trail.files for cls in program.modules[each].classes.values() for base in cls.bases
    )
    if not called and not derived:
        return None
    if not derived and not any(
        last_name(each.term.callee if isinstance(each.term, Call) else each.term) in names for each in trail.ran
    ):
        return _by_name(trail)  # nothing else can be found, and all that is only around need not be looked at
    for place in trail.calls(table):
        if place.way is not None and not _only_parses(trail, place):
            return _kind(trail, place, table), _start(trail, place)
    for place in trail.calls(pipelined):
        if place.way is not None:
            return "loop", _start(trail, place)
    if any(place.way is not None for place in trail.calls(known(program, "gradients"))):
        for place in trail.calls(known(program, "steps")):
            if place.way is not None:  # what is compiled is handed over outside of the loop that runs it
                return ("jax" if trail.libraries("jax", "flax", "optax") else "loop"), _start(trail, place)
    if never_repeats(trail):
        return None
    if any(place.way is not None for place in trail.calls(known(program, "updates"))):
        rounds = any(place.way is not None and place.way.looped for place in trail.places)
        for place in trail.calls(known(program, "backward")):
            if place.way is not None and rounds:
                return "loop", _start(trail, place)
    return _by_name(trail)


def _by_name(trail: Trail) -> tuple[str, Spot] | None:
    """The loop of a script whose training step belongs to what is made by a name."""
    by_name = step_by_name(trail)
    if by_name is None:
        return None
    trail.is_chosen, trail.step = True, by_name.spot
    return "loop", _start(trail, by_name)


def _only_parses(trail: Trail, place: Place) -> bool:
    """Whether a command line is only read, and its trainer is used afterwards: ``LightningCLI(Net, run=False)``."""
    given = dict(place.term.kwargs) if isinstance(place.term, Call) else {}
    return "run" in given and trail.options.default(given["run"], place.module) == (False,)


def _start(trail: Trail, place: Place) -> Spot:
    """The call in the script itself that leads to a place; the place, if it stands there."""
    if place.module == trail.path:
        return place.spot
    own = [each for each in trail.places if each.module == trail.path and each.function.name == _TOP and each.way is not None]
    return own[-1].spot if own else Spot(1, 0, 1, 0)


def _kind(trail: Trail, place: Place, table: Table[str, str]) -> str:
    names = trail.keys(place)
    found = next((word for name, word in table.items() if not name.startswith(".") and name in names), None)
    if found is not None:
        return found
    stem = last_name(place.term.stem) if isinstance(place.term, (Access, Call)) else None
    return next((word for name, word in table.items() if name.startswith(".") and name[1:] == stem), "loop")


def _named(program: Program, trail: Trail, framework: str) -> str:
    """Who runs the loop of a job that has a backward pass of its own: an engine, an accelerator, or the project itself."""
    if framework != "loop":
        return framework
    engines: Table[str, str] = program.knowledge.tables["preflight.engines"]
    for name, word in engines.items():
        if any(place.way is not None for place in trail.calls((name,))):
            return word
    return framework
