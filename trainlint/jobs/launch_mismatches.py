"""Launch lines that cannot do what they say.

Launchers that do not fit together, nor to what the batch system gives; and the option ``--local_rank``, which the
launcher passes and the script does not take, or the other way round.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from trainlint.documents.expansion import Word
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Const, Ref, Self, Term
from trainlint.ir.sketch import CallStep, Function, If, Keep, Loop, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import statements_of
from trainlint.jobs.launch_lines import Allocation, Launch, Launcher, Option, Said, allocation, launches
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.environment import declarations
from trainlint.program.library_uses import targeted
from trainlint.program.program import Program

Kind = Literal["twice", "nodes", "alone", "gpus", "visible", "ignored", "meeting", "standalone", "localhost", "rank", "old"]

_TORCH = ("torchrun", "launch")
_HERE = re.compile(r"(?:localhost|127\.0\.0\.1|\[?::1\]?)(?::\d+)?")
#: What a script with another way to all nodes has somewhere.
_ELSEWHERE = re.compile(r"\b(?:srun|mpirun|mpiexec|pdsh|clush|ssh|parallel|ray|SLURM_NODEID|SLURM_PROCID|PET_\w+|dask)\b")
#: Variables that SLURM sets, and what they count.
_VARIABLES = {
    "SLURM_NNODES": "nodes",
    "SLURM_JOB_NUM_NODES": "nodes",
    "SLURM_NTASKS_PER_NODE": "tasks",
    "SLURM_GPUS_PER_NODE": "gpus",
    "SLURM_GPUS_ON_NODE": "gpus",
}
#: From then on each start of the module warns, and takes its options as `torchrun` does.
_OLD_SINCE = "2.0"
_ANY_NUMBER = ("gpu", "auto")


@dataclass(frozen=True)
class Disagreement:
    """What is wrong with a line, shown at ``word``; ``one`` and ``other`` are the two numbers, or what is written.

    ``because`` are places elsewhere in the file, each with what stands there.
    """

    kind: Kind
    launch: Launch
    word: Word
    one: str = ""
    other: str = ""
    because: tuple[tuple[Spot, str], ...] = ()


def disagreements(program: Program) -> Iterator[Disagreement]:
    """Those of the files beside the Python, at most one of each kind for a line."""
    for launch in program.ask(launches):
        inner = launch.launcher(*_TORCH)
        if inner is not None and launch.is_sure:
            given = allocation(launch)
            yield from _of_torch(program, launch, inner, given)
        deepspeed = launch.launcher("deepspeed")
        if deepspeed is not None and launch.is_sure:
            yield from _ignored(launch, deepspeed)


def _of_torch(program: Program, launch: Launch, inner: Launcher, given: Allocation | None) -> Iterator[Disagreement]:
    step = launch.launcher("srun")
    found: list[Disagreement] = []
    if given is not None and step is not None:
        found += _twice(launch, inner, given)
    if given is not None:
        found += _nodes(launch, inner, given, step)
    found += _meeting(launch, inner, given, step)
    yield from found[:1]  # what follows from it is no mistake of its own
    if given is not None:
        yield from _gpus(launch, inner, given.gpus)
    yield from _visible(launch, inner)
    versions = targeted(program, launch.document.path, "torch")
    if inner.option("--use-env") is not None and versions.ranges and versions.needs(_OLD_SINCE):
        yield Disagreement("old", launch, inner.word)


def _processes(inner: Launcher) -> Option | None:
    return inner.option("--nproc-per-node")


def _count(option: Option, given: Allocation | None) -> int | None:
    """The number of an option, also where that is left to a variable of the batch system."""
    if option.number is not None or option.value is None or option.text is not None or given is None:
        return option.number
    found = re.fullmatch(r"(?:--[\w-]+=)?\"?\$\{?(SLURM_\w+)\}?\"?", option.value.written)
    kind = None if found is None else _VARIABLES.get(found[1])
    return None if kind is None else {"nodes": given.nodes, "tasks": given.tasks, "gpus": given.gpus}[kind].number


def _twice(launch: Launch, inner: Launcher, given: Allocation) -> Iterator[Disagreement]:
    """Each of several tasks of a node starts all the processes of the node."""
    option, tasks = _processes(inner), given.tasks
    if option is None or tasks.number is None or tasks.number <= 1 or tasks.spot is None:
        return
    count = _count(option, given)
    if (count or 0) <= 1 and option.text not in _ANY_NUMBER:
        return
    nodes = inner.option("--nnodes")
    agents = 1 if nodes is None else _count(nodes, given)
    if agents is None or agents > (given.nodes.number or 1):
        return  # as many agents as tasks may be meant: each with GPUs of its own
    because = ((tasks.spot, f"{tasks.text}: {tasks.number} tasks on each node."),)
    yield Disagreement(
        "twice", launch, option.word, str(tasks.number), f"{count} processes" if count else "one process per GPU", because
    )


def _nodes(launch: Launch, inner: Launcher, given: Allocation, step: Launcher | None) -> Iterator[Disagreement]:
    """The number of nodes that the agents wait for is not the number of those that start."""
    nodes, option = given.nodes, inner.option("--nnodes")
    if nodes.number is None or nodes.spot is None or nodes.number < 1 or given.tasks.number != 1:
        return
    because = ((nodes.spot, f"{nodes.text}: {nodes.number} nodes."),)
    if option is not None and option.number is None:
        return
    wanted = 1 if option is None else option.number or 0
    word = inner.word if option is None else option.word
    if inner.option("--standalone") is not None and nodes.number > 1 and step is not None:
        return
    if launch.command.conditional:
        return  # it may be the way for another number of nodes
    if step is not None:
        # A step for fewer nodes than the job has is one of several.
        if wanted != nodes.number and not (wanted > nodes.number and step.option("-N", "--nodes", "-n", "--ntasks") is not None):
            yield Disagreement("nodes", launch, word, str(wanted), str(nodes.number), because)
    elif nodes.number > 1 and not _ELSEWHERE.search(_code(launch)):
        yield Disagreement("alone", launch, word, str(wanted), str(nodes.number), because)


def _code(launch: Launch) -> str:
    """The script without its comments."""
    return "\n".join(line.partition("#")[0] for line in launch.document.lines)


def _gpus(launch: Launch, inner: Launcher, gpus: Said) -> Iterator[Disagreement]:
    """More processes than the node has GPUs."""
    option = _processes(inner)
    if option is None or option.number is None or not gpus.number or gpus.spot is None or option.number <= gpus.number:
        return
    because = ((gpus.spot, f"{gpus.text}: {gpus.number} GPUs on each node."),)
    yield Disagreement("gpus", launch, option.word, str(option.number), str(gpus.number), because)


def _seen(launch: Launch) -> tuple[list[str], Spot] | None:
    """The GPUs that the line lets its processes see, and where that is said; None when that is not known."""
    last = next((each for each in reversed(list(launch.environment())) if each.name == "CUDA_VISIBLE_DEVICES"), None)
    if last is None or last.conditional or last.value.text is None:
        return None
    if last.name in launch.command.tested:
        return None  # the line is for other values of it than this one
    numbers = [each.strip() for each in last.value.text.split(",")]
    return (numbers, last.spot) if all(each.isdigit() for each in numbers) else None


def _visible(launch: Launch, inner: Launcher) -> Iterator[Disagreement]:
    """More processes than there are GPUs that they may see."""
    option, seen = _processes(inner), _seen(launch)
    if option is None or option.number is None or seen is None or option.number <= len(seen[0]):
        return
    because = ((seen[1], f"`CUDA_VISIBLE_DEVICES` names {len(seen[0])} of them."),)
    yield Disagreement("visible", launch, option.word, str(option.number), str(len(seen[0])), because)


def _ignored(launch: Launch, deepspeed: Launcher) -> Iterator[Disagreement]:
    """DeepSpeed is told of the GPUs twice, and passes over what the variable says."""
    seen = _seen(launch)
    if seen is None or deepspeed.option("-H", "--hostfile", "-e", "--exclude") is not None:
        return
    number, chosen = deepspeed.option("--num-gpus"), deepspeed.option("-i", "--include")
    if number is not None and number.number and chosen is None:
        taken, word = [str(each) for each in range(number.number)], number.word
    elif chosen is not None and re.fullmatch(r"localhost:\d+(,\d+)*", chosen.text or ""):
        taken, word = (chosen.text or "").partition(":")[2].split(","), chosen.word
    else:
        return
    if sorted(taken) != sorted(seen[0]):
        because = ((seen[1], "`CUDA_VISIBLE_DEVICES` is set here."),)
        yield Disagreement("ignored", launch, word, ",".join(taken), ",".join(seen[0]), because)


def _wanted(inner: Launcher, given: Allocation | None) -> tuple[int, Word] | None:
    """How many nodes a line is for, if that is more than one and known."""
    option = inner.option("--nnodes")
    if option is None or option.value is None:
        return None
    if option.text is not None:
        most = option.text.rpartition(":")[2]
        count = int(most) if re.fullmatch(r"[0-9]{1,6}", most) else 0
    else:
        count = _count(option, given) or 0
    return (count, option.word) if count > 1 else None


def _meeting(launch: Launch, inner: Launcher, given: Allocation | None, step: Launcher | None) -> Iterator[Disagreement]:
    """Several nodes that never meet, or all think they are the first."""
    wanted = _wanted(inner, given)
    if wanted is None or "PET_" in launch.document.text:
        return
    count, word = str(wanted[0]), wanted[1]
    where, backend = inner.option("--rdzv-endpoint"), inner.option("--rdzv-backend")
    master = inner.option("--master-addr")
    if inner.option("--standalone") is not None:
        yield Disagreement("standalone", launch, word, count)
    elif where is None and (master is None or (backend is not None and backend.text != "static" and backend.text is not None)):
        yield Disagreement("meeting", launch, word, count)
    elif _HERE.fullmatch(((where or master) or _NOTHING).text or "") and not _has_twin(launch, inner):
        yield Disagreement(
            "localhost", launch, (where or master or _NOTHING).word, count, (where or master or _NOTHING).text or ""
        )
    elif (
        step is not None and (backend is None or backend.text == "static") and given is not None and (given.nodes.number or 0) > 1
    ):
        yield from _rank(launch, inner, count, word)


_NOTHING = Option("", Word("", "", Spot(1, 0, 1, 0)), None)


def _rank(launch: Launch, inner: Launcher, count: str, word: Word) -> Iterator[Disagreement]:
    """``srun`` starts the same words on each node: the number of the node among them is the same."""
    option = inner.option("--node-rank")
    if option is None:
        yield Disagreement("rank", launch, word, count, "0, the default")
    elif option.text is not None and option.text.isdigit():
        yield Disagreement("rank", launch, option.word, count, option.text)
    elif (
        option.value is not None
        and option.text is None
        and re.fullmatch(r"(?:--[\w-]+=)?\"?\$\{?SLURM_(?:NODEID|PROCID)\}?\"?", option.value.written)
        and any(each.system == "#SBATCH" for each in launch.script.directives)
    ):
        yield Disagreement("rank", launch, option.word, count, f"`{option.value.written}`")


def _has_twin(launch: Launch, inner: Launcher) -> bool:
    """Whether the script starts several nodes on one machine: more lines of such a kind, or in the background."""
    around = "\n".join(launch.document.lines[launch.command.spot.line - 1 : launch.command.spot.end_line])
    return around.rstrip().endswith("&") or launch.command.conditional or launch.document.text.count(inner.word.written) > 1


_UNDERSCORE, _HYPHEN = "--local_rank", "--local-rank"
_HYPHEN_SINCE = "2.0"


LocalRankKind = Literal["unpassed", "unknown", "hyphen", "idle"]
Told: TypeAlias = "tuple[LocalRankKind, tuple[tuple[str, Spot, str], ...]] | None"


@dataclass(frozen=True)
class LocalRankMismatch:
    """A line, the ``word`` of its launcher, what is wrong, and the places in the code that say so."""

    kind: LocalRankKind
    launch: Launch
    word: Word
    because: tuple[tuple[str, Spot, str], ...]
    other: str = ""


def local_rank_mismatches(program: Program) -> Iterator[LocalRankMismatch]:
    """One for each line that starts a script of this program in a way that the script is not made for."""
    scripts: dict[tuple[str, bool], Told] = {}
    for launch in program.ask(launches):
        inner, path = launch.launcher("torchrun", "launch"), launch.path
        if path is None or path not in program.modules:
            continue
        if inner is None:
            yield from _idle(program, launch, path)
            continue
        if not launch.is_sure or launch.argument(_HYPHEN) is not None:
            continue
        if any(word.many for word in launch.arguments):
            continue  # the option may be among them
        adds = inner.kind == "launch" and inner.option("--use-env") is None
        key = (path, adds)
        if key not in scripts:
            script = _Script(program, path)
            scripts[key] = script.told(launch) if adds else script.left_alone()
        found = scripts[key]
        if found is not None:
            yield LocalRankMismatch(found[0], launch, inner.word, found[1])


def _idle(program: Program, launch: Launch, path: str) -> Iterator[LocalRankMismatch]:
    """One task on a node with several GPUs, of a script that is one process of many and starts no others."""
    step, given = launch.launcher("srun"), allocation(launch)
    if step is None or given is None or [each.kind for each in launch.launchers] != ["srun", "python"] or not launch.is_sure:
        return
    gpus = given.gpus.number
    if given.tasks.number != 1 or not gpus or gpus == 1 or given.gpus.spot is None:
        return
    found = _Script(program, path).numbered()
    if found is not None:
        because = (launch.document.path, given.gpus.spot, f"{given.gpus.text}: {gpus} GPUs on each node.")
        yield LocalRankMismatch("idle", launch, step.word, (because, found), str(gpus))


class _Script:
    """A script and the files that belong to it."""

    def __init__(self, program: Program, path: str) -> None:
        self.program = program
        self.path = path
        self.paths = [each for each in program.modules if program.together(each, path)]

    def left_alone(self) -> Told:
        """What is wrong when nobody adds the option."""
        options = [(site, flags) for site, flags in self._options() if {_UNDERSCORE, _HYPHEN} & flags]
        words = self.program.knowledge.tables["launchers.local"]
        if not options or not self.program.packages(self.path).isdisjoint(words["packages"]):
            return None
        if any(not _is_constant(site) for site, _ in options) or any(_is_set(node) for node in self._nodes()):
            return None
        terms = [term for node in self._nodes() for term in _terms(node)]
        if any(isinstance(term, Const) and term.value in words["variables"] for term in parts_of(*terms)):
            return None
        used = next(
            (call for call in self._calls() if last_name(call.call.term.callee) in words["uses"] and _uses(call.call)), None
        )
        if used is None:
            return None
        site = options[0][0]
        return "unpassed", (
            (site.module, site.call.term.site, "The script declares the option here."),
            (used.module, used.call.statement, "Its value is used here."),
        )

    def told(self, launch: Launch) -> Told:
        """What is wrong when the launcher adds the option."""
        parses = self._parses()
        if parses is None:
            return None
        options = list(self._options())
        known: set[str] = set().union(*(flags for _, flags in options))
        place = (parses.module, parses.call.term.site, "The options are read here.")
        if not {_UNDERSCORE, _HYPHEN} & known:
            return ("unknown", (place,)) if options else None
        versions = targeted(self.program, launch.path or "", "torch")
        if _HYPHEN in known or not versions.ranges or not versions.needs(_HYPHEN_SINCE):
            return None
        site = next(site for site, flags in options if _UNDERSCORE in flags)
        return "hyphen", ((site.module, site.call.term.site, "The script declares the option here."),)

    def numbered(self) -> tuple[str, Spot, str] | None:
        """Where the script joins the others, if it takes its number from SLURM and starts no processes of its own."""
        words = self.program.knowledge.tables["launchers.local"]
        if not self.program.packages(self.path).isdisjoint((*words["packages"], "subprocess")):
            return None
        terms = [term for node in self._nodes() for term in _terms(node)]
        if not any(isinstance(term, Const) and term.value == words["numbers"][0] for term in parts_of(*terms)):
            return None
        names = [(site, last_name(site.call.term.callee)) for site in self._calls()]
        if any(name in words["starts"] for _, name in names) or any(
            str(term.value).startswith("cuda:") for term in parts_of(*terms) if isinstance(term, Const)
        ):
            return None
        joins = next((site for site, name in names if name in words["joins"]), None)
        return None if joins is None else (joins.module, joins.call.statement, "The process joins the group here.")

    def _parses(self) -> CallSite | None:
        """Where the script reads its options, if it does so with argparse alone and takes no others."""
        sites = self.program.ask(CallGraph).sites
        if any(
            site.module in self.paths for name in ("parse_known_args", "parse_intermixed_args") for site in sites.get(name, ())
        ):
            return None
        found = [site for site in sites.get("parse_args", ()) if site.module == self.path]
        if len(found) != 1 or found[0].call.term.args or found[0].call.term.kwargs:
            return None
        callee = found[0].call.term.callee
        parser = callee.base if isinstance(callee, Attr) else None
        if (
            parser is None
            or not isinstance(parser, Call)
            or not isinstance(parser.callee, Ref)
            or parser.callee.name != "argparse.ArgumentParser"
        ):
            return None
        if any(name == "parents" or name is None for name, _ in parser.kwargs):
            return None
        for site in self._calls():
            if site.module == self.path and any(each is parser for each in _arguments(site.call)):
                return None  # somebody else adds options to it
        return found[0]

    def _options(self) -> Iterator[tuple[CallSite, set[str]]]:
        for site in declarations(self.program):
            if site.module in self.paths:
                yield site, {str(each.value) for each in site.call.term.args if isinstance(each, Const)}

    def _functions(self) -> Iterator[Function]:
        for path in self.paths:
            yield from self.program.modules[path].functions.values()

    def _nodes(self) -> Iterator[object]:
        for function in self._functions():
            yield from statements_of(function)

    def _calls(self) -> Iterator[CallSite]:
        for path in self.paths:
            for function in self.program.modules[path].functions.values():
                for node in statements_of(function):
                    if isinstance(node, CallStep):
                        yield CallSite(path, function, node)


def _terms(node: object) -> tuple[Term, ...]:
    if isinstance(node, CallStep):
        return (node.term,)
    if isinstance(node, (Keep, Store)):
        return (node.target, node.value)
    if isinstance(node, If):
        return (node.condition,)
    return (node.subject,) if isinstance(node, Loop) else ()


def _arguments(call: CallStep) -> list[Term]:
    return [*call.term.args, *(value for _, value in call.term.kwargs)]


def _is_constant(site: CallSite) -> bool:
    """Whether the default of an option is a constant, or none is given."""
    default = next((value for name, value in site.call.term.kwargs if name == "default"), None)
    return (default is None or isinstance(default, Const)) and all(name is not None for name, _ in site.call.term.kwargs)


def _is_set(node: object) -> bool:
    """Whether a statement gives the option a value."""
    return isinstance(node, (Keep, Store)) and isinstance(node.target, Attr) and node.target.name == "local_rank"


def _uses(call: CallStep) -> bool:
    return any(
        isinstance(term, Attr) and term.name == "local_rank" and not isinstance(term.base, Self)
        for term in parts_of(*_arguments(call))
    )
