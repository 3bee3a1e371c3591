"""The command lines that start a job: by the launcher of its launch lines, or by the one that its code wants."""

from __future__ import annotations

import os

from trainlint.facts.components import imported, module_of
from trainlint.facts.launching.launches import Launch
from trainlint.preflight.asking import runs, table
from trainlint.preflight.jobs import Job
from trainlint.preflight.options import Options
from trainlint.preflight.starters import hands_over, texts_of

#: How each kind of launcher is called, and how it is told the number of its processes.
_CALLED = {
    "torchrun": ("torchrun", "--nproc_per_node={}"),
    "launch": ("python -m torch.distributed.launch", "--nproc_per_node={}"),
    "accelerate": ("accelerate launch", "--num_processes {}"),
    "deepspeed": ("deepspeed", "--num_gpus {}"),
    "horovod": ("horovodrun", "-np {}"),
    "mpi": ("mpirun", "-n {}"),
}
_LEAST = 2


def starting(job: Job, *arguments: str, processes: int | None = None) -> str:
    """The line that starts a job: launcher, script, the options that it has to be given, and some arguments more."""
    starter = _starter(job, several=processes is not None)
    if starter is not None:
        return " ".join(("python", *starter, *arguments))
    kind = _launcher(job, several=processes is not None)
    called, count = _CALLED.get(kind, ("python", ""))
    words = [called]
    if processes is not None and count:
        words.append(count.format(processes))
    if kind in ("mpi", "horovod"):
        words.append("python")
    return " ".join((*words, _target(job, kind), *job.options.required, *arguments))


def _starter(job: Job, *, several: bool) -> tuple[str, ...] | None:
    """The script of the project that the job is started by, if it is, and what that has to be given."""
    lines = [each for each in job.launches if each.path != job.path]
    if lines and len(lines) == len(job.launches) and lines[0].path is not None:
        handed = _behind(job, lines[0]) if hands_over(lines[0], job.path) else ()
        return (_relative(job, lines[0].path), *handed, *job.options.required)
    if not job.starters or any(each.launchers[-1].kind in _CALLED for each in job.launches if each.launchers):
        return None
    if not several and (job.launches or not job.is_distributed):
        return None
    if _may_find_its_rank(job) or runs(job.trail.calls(table(job, "spawns"))):
        return None
    options = Options(job.program, job.starters[0].path, ())
    options.files = lambda: frozenset((job.starters[0].path,))
    return (_relative(job, job.starters[0].path), *options.required)


def _behind(job: Job, launch: Launch) -> tuple[str, ...]:
    """The script as a line hands it over, and the words behind it up to the first option: ``train.py settings.yml``."""
    words = [word.written for word in launch.arguments]
    first = next((number for number, word in enumerate(words) if word.endswith(".py")), len(words))
    ends = next((number for number in range(first, len(words)) if words[number].startswith("-")), len(words))
    return (_relative(job, job.path), *words[first + 1 : ends])


def _may_find_its_rank(job: Job) -> bool:
    """Whether a launcher can tell a process of the job its rank: by the environment, by an option, by what starts the group."""
    starts = runs(job.trail.calls(table(job, "groups")))
    if not starts or not all({"rank", "world_size"} <= {keyword for keyword, _ in each.term[3]} for each in starts):
        return True
    if not {"local_rank", "local-rank"}.isdisjoint(job.options.declared):
        return True
    said = frozenset(table(job, "ranks-of-environment"))
    modules = [job.program.modules[path] for path in job.files]
    return any(not said.isdisjoint(texts_of(function, module)) for module in modules for function in module.functions.values())


def _relative(job: Job, path: str) -> str:
    top = job.program.finder.top
    return (os.path.relpath(path, top) if path.startswith(top) else os.path.basename(path)).replace(os.sep, "/")  # noqa: PTH119


def as_started(job: Job, argument: str) -> str:
    """The line that starts a job with one argument more; where its own says others, a comment behind it tells where."""
    line = starting(job, argument)
    said = set(line.split())
    for launch in job.launches[:1]:
        others = (word.start if word.text is None else word.text for word in launch.arguments)
        if any(each.startswith("--") and each.partition("=")[0] not in said for each in others):
            path = os.path.relpath(launch.document.path, job.program.finder.top).replace(os.sep, "/")
            return f"{line}  # its other arguments: {path}:{launch.command.spot.line}"
    return line


def _launcher(job: Job, *, several: bool) -> str:
    """The kind of the launcher of the launch lines; without them, of what the code wants."""
    for launch in job.launches:
        known = next((each.kind for each in reversed(launch.launchers) if each.kind in _CALLED), None)
        if known is not None:
            return known
    if job.launches and not (several and job.is_shown):
        return "python"
    if job.framework in ("accelerate", "deepspeed"):
        return job.framework
    if job.trail.libraries(*table(job, "launched-by-mpi")):
        return ("horovod" if job.trail.libraries("horovod") else "mpi") if several else "python"
    if (several or job.is_distributed) and job.library == "torch" and job.framework not in ("lightning", "fabric"):
        alone = runs(job.trail.calls(table(job, "spawns"))) or not _may_find_its_rank(job)
        return "python" if alone else "torchrun"
    return "python"


def _target(job: Job, kind: str) -> str:
    """The script as it is named behind a launcher: ``train.py``, or ``-m apps.main.train`` where its imports want that."""
    module = any(each.is_module for each in job.launches)
    path = _relative(job, job.path)
    named = path.removesuffix(".py").split("/")
    if not job.launches:
        module = _is_of_a_package(job, len(named))
    if not module or kind == "deepspeed" or not all(part.isidentifier() for part in named):
        return path
    return f"{'--module' if kind == 'accelerate' else '-m'} {'.'.join(named)}"


def _is_of_a_package(job: Job, depth: int) -> bool:
    """Whether a script imports files that are not found from its own folder, but from the top of the project."""
    if depth < _LEAST:
        return False
    top = job.program.finder.top
    own = os.path.dirname(job.path)  # noqa: PTH120
    for dotted in imported(job.program.modules[job.path]):
        found = module_of(job.program.finder, job.path, dotted)
        if found is None:
            continue
        if dotted.startswith("."):
            return True
        first = dotted.partition(".")[0]
        at_top, beside = (
            any(found.startswith(os.path.join(folder, first) + end) for end in (os.sep, ".py"))  # noqa: PTH118
            for folder in (top, own)
        )
        if at_top and not beside:
            return True
    return False
