"""The command lines that start a job: by the launcher of its launch lines, or by the one that its code wants."""

from __future__ import annotations

import os

from trainlint.facts.components import imported, module_of
from trainlint.preflight.asking import runs, table
from trainlint.preflight.jobs import Job

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
    kind = _launcher(job, several=processes is not None)
    called, count = _CALLED.get(kind, ("python", ""))
    words = [called]
    if processes is not None and count:
        words.append(count.format(processes))
    if kind in ("mpi", "horovod"):
        words.append("python")
    return " ".join((*words, _target(job, kind), *job.options.required, *arguments))


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
    if several and job.trail.libraries(*table(job, "launched-by-mpi")):
        return "horovod" if job.trail.libraries("horovod") else "mpi"
    if (several or job.is_distributed) and job.library == "torch" and job.framework not in ("lightning", "fabric"):
        return "python" if runs(job.trail.calls(table(job, "spawns"))) else "torchrun"
    return "python"


def _target(job: Job, kind: str) -> str:
    """The script as it is named behind a launcher: ``train.py``, or ``-m apps.main.train`` where its imports want that."""
    module = any(each.is_module for each in job.launches)
    top = job.program.finder.top
    path = os.path.relpath(job.path, top) if job.path.startswith(top) else os.path.basename(job.path)  # noqa: PTH119
    named = path.removesuffix(".py").replace(os.sep, "/").split("/")
    if not job.launches:
        module = _is_of_a_package(job, len(named))
    if not module or kind == "deepspeed" or not all(part.isidentifier() for part in named):
        return path.replace(os.sep, "/")
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
