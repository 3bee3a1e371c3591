"""The command lines that start a job, and the calls that start its processes without one.

Which calls of a script start the processes of its training themselves, so that no launcher has to.

The command lines that start a job: by the launcher of its launch lines, or by the one that its code wants.
"""

from __future__ import annotations

import os
from pathlib import PurePath

from trainlint.app.preflight.commands import hands_over, texts_of
from trainlint.app.preflight.evidence.answers import runs, table
from trainlint.app.preflight.jobs import Job
from trainlint.app.preflight.line import Place
from trainlint.app.preflight.settings.launch_lines import handed_bare, said_by
from trainlint.app.preflight.settings.options import Options
from trainlint.app.preflight.values.words import functions_of
from trainlint.ir.nodes import Attr, Call
from trainlint.ir.order import loops_around
from trainlint.ir.sketch import If, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind, walk
from trainlint.jobs.launch_lines import Launch
from trainlint.program.call_graph import CallGraph
from trainlint.program.imports import imported, module_of
from trainlint.program.values import FunctionValue


def spawned(job: Job) -> list[Place]:
    """The calls that a job runs which start several processes: by a launcher's function, or one by one, in a loop.

    What is started one by one trains only if it leads to where the group of the processes is made; others load, or log.
    """
    own = [each for each in runs(job.trail.calls(table(job, "starts-a-process"))) if _is_repeated(each)]
    groups = {id(each.function) for each in job.trail.calls(table(job, "groups"))} if own else set()
    return [*runs(job.trail.calls(table(job, "spawns"))), *(each for each in own if _leads_to(job, each, groups))]


def _is_repeated(place: Place) -> bool:
    """Whether a call stands in a loop or a comprehension of its function."""
    return bool(loops_around(place.function, place.spot))


def _leads_to(job: Job, place: Place, wanted: set[int]) -> bool:
    """Whether what a process is to run comes to one of some functions (by id)."""
    frame = job.program.frame(place.module, place.function)
    given = [value for keyword, value in place.term.kwargs if keyword == "target"] if isinstance(place.term, Call) else []
    values = (each for term in given for each in job.program.values(term, frame))
    return job.trail.comes_to([each.function for each in values if isinstance(each, FunctionValue)], wanted)


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
    folder, target = _target(job, kind)
    words = [f"cd {folder} && {called}" if folder else called]
    if processes is not None and count:
        words.append(count.format(processes))
    if kind in ("mpi", "horovod"):
        words.append("python")
    handed = file_of_arguments(job)
    return " ".join((*words, target, *(handed or job.options.required), *arguments))


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
    if _may_find_its_rank(job) or spawned(job):
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
    given = [{keyword for keyword, _ in each.term.kwargs} for each in starts if isinstance(each.term, Call)]
    if not starts or len(given) != len(starts) or not all({"rank", "world_size"} <= each for each in given):
        return True
    if not {"local_rank", "local-rank"}.isdisjoint(job.options.declared):
        return True
    said = frozenset(table(job, "ranks-of-environment"))
    modules = [job.program.modules[path] for path in job.files]
    return any(not said.isdisjoint(texts_of(function, module)) for module in modules for function in module.functions.values())


def _relative(job: Job, path: str) -> str:
    top = job.program.finder.top
    return (os.path.relpath(path, top) if path.startswith(top) else PurePath(path).name).replace(os.sep, "/")


def as_started(job: Job, argument: str = "") -> str:
    """The line that starts a job, perhaps with an argument more; where its own says others, a comment behind it tells where."""
    handed = file_of_arguments(job)
    if handed and argument:
        return _with_file(job, argument)
    line = starting(job, *((argument,) if argument else ()))
    said = set(line.split())
    for launch in job.launches[:1]:
        others = (word.start if word.text is None else word.text for word in launch.arguments)
        if any(each.startswith("--") and each.partition("=")[0] not in said for each in others):
            path = os.path.relpath(launch.document.path, job.program.finder.top).replace(os.sep, "/")
            left = (
                [job.options.written(each) for each in overwriting(job, argument.split(maxsplit=1)[0], launch)]
                if argument
                else []
            )
            but = f", but for {' and '.join(left)}, which would hold instead" if left else ""
            return f"{line}  # its other arguments: {path}:{launch.command.spot.line}{but}"
    return line


def file_of_arguments(job: Job) -> tuple[str, ...]:
    """The file that the first launch line of a script hands over bare, which holds its arguments; nothing where it does not."""
    launch = next(iter(job.launches), None)
    return handed_bare(job.program, launch) if launch is not None and launch.path == job.path and job.reads_files else ()


def _with_file(job: Job, argument: str) -> str:
    """The line of a job that is handed a file, with an argument more: behind it where the job takes that, else in the file."""
    name, _, value = argument.replace("=", " ").lstrip("-").partition(" ")
    if takes(job, "dotlists"):
        return starting(job, f"{name.replace('-', '_')}={value or 'true'}")
    if takes(job, "arguments-behind-files"):
        return starting(job, argument)
    return f"{starting(job)}, with `{name.replace('-', '_')}: {value or 'true'}` in that file"


def takes(job: Job, key: str) -> bool:
    """Whether the files of a job call one of the functions that a table names."""
    index = job.program.ask(CallGraph)
    return any(site.module in job.files for name in table(job, key) for site in index.sites.get(name.rpartition(".")[2], ()))


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
        alone = spawned(job) or not _may_find_its_rank(job)
        return "python" if alone else "torchrun"
    return "python"


def _target(job: Job, kind: str) -> tuple[str, str]:
    """The script as it is named behind a launcher, and the folder to be in: ``train.py``, or ``-m apps.main.train``.

    As a module where its imports want that; ``cd detection && python -m tf2.train`` where a launch line calls it so.
    """
    module = any(each.is_module for each in job.launches)
    path = _relative(job, job.path)
    named = path.removesuffix(".py").split("/")
    if not job.launches:
        module = _is_of_a_package(job, len(named))
    if not module or kind == "deepspeed" or not all(part.isidentifier() for part in named):
        return _folder_of_configuration(job) or ("", path)
    called = [(each.target.text or "").split(".") for each in job.launches if each.is_module and each.path == job.path]
    short = next((each for each in called if each == named[-len(each) :]), named)
    return "/".join(named[: -len(short)]), f"{'--module' if kind == 'accelerate' else '-m'} {'.'.join(short)}"


def _folder_of_configuration(job: Job) -> tuple[str, str] | None:
    """The script's folder and its name there, where the configuration that holds by itself is looked for in that folder."""
    named = job.options.configurations.sources.option
    folder, name = os.path.split(job.path)
    if named is None or named[1] is None or len(folder) <= len(job.program.finder.top):
        return None
    paths = [os.path.normpath(os.path.join(start, named[1])) for start in (folder, job.program.finder.top)]  # noqa: PTH118
    there, at_top = (path in job.program.modules for path in paths)
    return (_relative(job, folder), name) if there and not at_top else None


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


def overwriting(job: Job, argument: str, launch: Launch) -> list[str]:
    """The options of a line that set another one anew: ``if args.max_epochs is not None: args.max_steps = …``."""
    name = argument.partition("=")[0].lstrip("-").replace("-", "_")
    found: list[str] = []
    for path, function in functions_of(job.program, job.files if name in job.options.declared else ()):
        for node in of_kind(function, If):
            stores = (each for each in walk(node.body) if isinstance(each, Store))
            if not any(isinstance(each.target, Attr) and each.target.name == name for each in stores):
                continue
            for part in parts_of(node.condition):
                other = job.options.name(part, path) if isinstance(part, Attr) else None
                option = job.options.declared.get(other or "")
                if other is not None and option is not None and other not in (name, *found) and said_by(option, launch):
                    found.append(other)
    return found
