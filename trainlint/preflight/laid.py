"""Files of arguments that a launch line hands over bare, and that the job reads in place of its options.

``train.py settings.yaml lr=1e-5``: what stands in the file is said as if the line said it, and what stands behind it counts more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainlint.documents.document import Document
from trainlint.documents.tree import Mapping, Scalar
from trainlint.facts.calls import calls
from trainlint.facts.launching.launches import Launch, named
from trainlint.facts.launching.references import named_documents
from trainlint.facts.program import Program
from trainlint.model.sketch import If, Store
from trainlint.model.terms import parts_of
from trainlint.model.walk import of_kind, walk
from trainlint.preflight.known import known
from trainlint.preflight.line import Evidence
from trainlint.preflight.said import as_it_looks, said_by
from trainlint.preflight.words import OFF

if TYPE_CHECKING:
    from trainlint.preflight.jobs import Job


def reads_files(program: Program, files: frozenset[str]) -> bool:
    """Whether the files of a job read one that holds arguments: by a parser of such files, or by loading YAML or JSON."""
    names = {each.rpartition(".")[2] for each in known(program, "reads-arguments")}
    index = calls(program)
    return any(site.module in files for name in names for site in index.sites.get(name, ()))


def _bare(program: Program, launch: Launch) -> dict[str, Document]:
    """The files that a line hands over before its options, by how they are written there."""
    first = next((number for number, word in enumerate(launch.arguments) if (word.text or "-").startswith("-")), None)
    bare = launch.arguments[:first]
    return {
        word.written: document
        for word, document in named_documents(program, launch)
        if any(word is each for each in bare) and "=" not in (word.text or "")
    }


def handed_bare(program: Program, launch: Launch) -> tuple[str, ...]:
    """The files of arguments that a line hands over, as they are written there."""
    return tuple(_bare(program, launch))


def laid_over(program: Program, launch: Launch, *keys: str) -> tuple[tuple[object], Evidence] | None:
    """What a line's file of arguments says of one of some keys, with where; None where there is no file, or nothing in it."""
    wanted = {key.lstrip("-").replace("-", "_") for key in keys}
    documents = _bare(program, launch)
    if not documents:
        return None
    for word in reversed(launch.arguments):
        key, equals, value = (word.text or "").lstrip("-").partition("=")
        if equals and named(key).replace("-", "_") in wanted:
            where = Evidence(launch.document.path, launch.command.spot, f"{word.text} stands here")
            return as_it_looks(value), where
    for document in documents.values():
        root = document.roots[0] if document.roots else None
        for item in root.items if isinstance(root, Mapping) else ():
            if str(item.key.value) in wanted and isinstance(item.value, Scalar):
                where = Evidence(document.path, item.key.spot, f"`{item.key.value}` stands in the launch line's file")
                return (item.value.value,), where
    return None


def says(program: Program, launch: Launch, *keys: str) -> Evidence | None:
    """Where a line's file of arguments says one of some keys, to something that is not off."""
    found = laid_over(program, launch, *keys)
    return None if found is None or found[0][0] in OFF else found[1]


def overwriting(job: Job, argument: str, launch: Launch) -> list[str]:
    """The options of a line that set another one anew: ``if args.max_epochs is not None: args.max_steps = …``."""
    name = argument.partition("=")[0].lstrip("-").replace("-", "_")
    found: list[str] = []
    for path in sorted(job.files) if name in job.options.declared else ():
        for function in job.program.modules[path].functions.values():
            for node in of_kind(function, If):
                stores = (each for each in walk(node.body) if isinstance(each, Store))
                if not any(each.target[0] == "a" and each.target[2] == name for each in stores):
                    continue
                for part in parts_of(node.condition):
                    other = job.options.name(part, path) if part[0] == "a" else None
                    option = job.options.declared.get(other or "")
                    if other is not None and option is not None and other not in (name, *found) and said_by(option, launch):
                        found.append(other)
    return found
