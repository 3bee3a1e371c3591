"""Jobs on machines that may be taken away, whose script neither handles that nor goes on where it was ended."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainlint.documents.shell import Script, read_shell
from trainlint.documents.tree import Mapping, Node, Scalar, Sequence, mappings
from trainlint.domains.training_scripts import Entry, entries
from trainlint.jobs.launch_lines import launches
from trainlint.knowledge.words import read
from trainlint.program.call_graph import CallGraph

if TYPE_CHECKING:
    from trainlint.documents.document import Document
    from trainlint.finding import Spot
    from trainlint.program.program import Program


@dataclass(frozen=True)
class Preempted:
    """A job that may be ended at any time: where a file says so, in which words, and the script that it starts."""

    document: Document
    spot: Spot
    says: str
    entry: Entry


def preempted(program: Program) -> Iterator[Preempted]:
    """Those whose script has no handler and loads nothing."""
    if not program.modules:
        return
    scripts = {entry.module: entry for entry in entries(program) if not _is_prepared(program, entry)}
    if scripts:
        yield from _requeued(program, scripts)
        yield from _on_spot(program, scripts)


def _is_prepared(program: Program, entry: Entry) -> bool:
    """Whether anything in the files around a script handles signals, or loads a state."""
    index, table = program.ask(CallGraph), program.knowledge.tables["preempted"]
    names = (*table["handles"], *table["resumes"])
    return any(program.together(site.module, entry.module) for name in names for site in index.sites.get(name, ()))


def _requeued(program: Program, scripts: dict[str, Entry]) -> Iterator[Preempted]:
    """Batch jobs that are started again when their nodes are taken: ``#SBATCH --requeue``."""
    told = set()
    for launch in program.ask(launches):
        if launch.path not in scripts or launch.document.path in told or _is_signalled(launch.script):
            continue
        for directive in launch.script.directives:
            if directive.option == "--requeue":
                told.add(launch.document.path)
                yield Preempted(launch.document, directive.spot, "--requeue", scripts[launch.path])


def _is_signalled(script: Script) -> bool:
    """Whether a script asks for a signal before the end, or handles one itself."""
    return any(each.option == "--signal" for each in script.directives) or any(each.name == "trap" for each in script.commands)


def _on_spot(program: Program, scripts: dict[str, Entry]) -> Iterator[Preempted]:
    """Tasks of SkyPilot and pods of Kubernetes that ask for machines which may be taken away."""
    for document in program.documents.of(read(program.knowledge, "preempted"), "yaml"):
        for root in document.roots:
            for mapping in mappings(root):
                asked = _asks(program, mapping)
                entry = None if asked is None else _started(mapping, scripts)
                if asked is not None and entry is not None:
                    yield Preempted(document, asked.spot, str(asked.value), entry)


def _asks(program: Program, mapping: Mapping) -> Scalar | None:
    """The key by which a task or a pod asks for such a machine."""
    resources = mapping.mapping("resources")
    if resources is not None and isinstance(mapping.at("run"), Scalar) and resources.value("use_spot") is True:
        item = resources.item("use_spot")
        return None if item is None else item.key
    selector = mapping.mapping("nodeSelector")
    if selector is None or mapping.at("containers") is None:
        return None
    labels = program.knowledge.tables["preempted"]["labels"]
    return next(
        (
            item.key
            for item in selector.items
            if isinstance(item.value, Scalar) and f"{item.key.value}={item.value.value}".lower() in labels
        ),
        None,
    )


def _started(mapping: Mapping, scripts: dict[str, Entry]) -> Entry | None:
    """The script that the commands of a task or pod name, if it is one of these."""
    for text in _texts(mapping.at("run") or mapping.at("containers")):
        script = read_shell(text.encode("utf-8", "replace"))
        for command in script.commands if script is not None else ():
            for word in command.words:
                if (word.text or "").endswith(".py"):
                    name = "/" + os.path.normpath(word.text or "").lstrip("./")
                    found = [path for path in scripts if path.endswith(name)]
                    if len(found) == 1:
                        return scripts[found[0]]
    return None


def _texts(node: Node | None) -> Iterator[str]:
    waiting, seen = [node], set[int]()
    while waiting:
        here = waiting.pop()
        if id(here) in seen:
            continue
        seen.add(id(here))
        if isinstance(here, Scalar) and isinstance(here.value, str):
            yield here.value
        elif isinstance(here, Sequence):
            waiting.extend(here.values)
        elif isinstance(here, Mapping):
            waiting.extend(item.value for item in here.items if item.key.value in ("command", "args"))
