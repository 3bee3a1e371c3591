"""Containers with the 64 MB of shared memory that they have by default, where the workers of a loader hand over batches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from trainlint.facts.containers.running import Running, running, script_of
from trainlint.facts.launching.launches import Launch, launch_of
from trainlint.facts.loaders.made import Loader, Loaders
from trainlint.facts.loaders.workers import fewest

if TYPE_CHECKING:
    from trainlint.facts.program import Program


class Starved(NamedTuple):
    """A container that runs a script whose loader has ``workers``: by its arguments, or (``loader``) as it is written there."""

    running: Running
    launch: Launch
    workers: int
    loader: Loader | None = None

    @property
    def script(self) -> str:
        """What is run: the script, also behind a launcher that the tables do not know."""
        return next((word.written for word in (self.launch.target, *self.launch.arguments) if word.written.endswith(".py")), "")


def starved(program: Program) -> Iterator[Starved]:
    """Without modules: what the command of a container says. With them: what the loaders of the script that it runs are given."""
    for each in running(program):
        if each.is_enough:
            continue
        script = script_of(each)
        for command in script.commands:
            launch = launch_of(program, each.document, script, command)
            found = None if launch is None else _found(program, each, launch)
            if found is not None:
                yield found
                break


def _found(program: Program, each: Running, launch: Launch) -> Starved | None:
    tables = program.knowledge.tables
    option = launch.argument(*tables["containers.workers"]["names"])
    hydra = [word.text for word in launch.arguments if (word.start or "").rpartition("=")[0].rpartition(".")[2] == "num_workers"]
    texts = hydra or ([] if option is None else [option.text])
    if texts:
        text = texts[-1].rpartition("=")[2] if texts[-1] is not None else ""
        workers = int(text) if text.isascii() and text.isdigit() else 0
        return Starved(each, launch, workers) if workers and not program.modules and _trains(program, launch) else None
    if launch.path is None or launch.path not in program.modules or any(word.many for word in launch.arguments):
        return None
    found = [(loader, fewest(loader)) for loader in program.ask(Loaders).all() if loader.module == launch.path]
    sure = [(count, loader) for loader, count in found if count]
    return Starved(each, launch, sure[0][0], sure[0][1]) if sure else None


def _trains(program: Program, launch: Launch) -> bool:
    """Whether a line clearly starts training: by its launcher, or by the name of the script."""
    tables = program.knowledge.tables
    if launch.launcher(*tables["containers.launchers"]["names"]) is not None:
        return True
    scripts = [word.written.rpartition("/")[2].lower() for word in launch.arguments if (word.text or "").endswith(".py")]
    name = (launch.target.text or launch.target.written).rpartition("/")[2].lower()
    return any(word in each for each in (name, *scripts[:1]) for word in tables["containers.training"]["names"])
