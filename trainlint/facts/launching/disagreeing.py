"""Launch lines that cannot do what they say: launchers that do not fit together, nor to what the batch system gives.

torch 2.13: ``torch/distributed/run.py``, ``torch/distributed/elastic/rendezvous``; deepspeed 0.19: ``launcher/runner.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from trainlint.documents.expansion import Word
from trainlint.facts.api.targets import targeted
from trainlint.facts.launching.allocations import Allocation, Said, allocation
from trainlint.facts.launching.launches import Launch, Launcher, Option, launches
from trainlint.facts.program import Program
from trainlint.finding import Spot

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
    yield Disagreement("twice", launch, option.word, str(tasks.number), str(count or option.text), because)


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
        yield Disagreement("rank", launch, word, count, "0, since none is given")
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
