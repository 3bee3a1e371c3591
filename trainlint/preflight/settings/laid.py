"""Files of arguments that a launch line hands over bare, and that the job reads in place of its options.

``train.py settings.yaml lr=1e-5``: what stands in the file is said as if the line said it, and what stands behind it counts more.
"""

from __future__ import annotations

from trainlint.documents.document import Document
from trainlint.documents.tree import Mapping, Scalar
from trainlint.facts.call_graph import CallGraph
from trainlint.facts.launching.launches import Launch, named
from trainlint.facts.launching.references import named_documents
from trainlint.facts.program import Program
from trainlint.preflight.known import known
from trainlint.preflight.line import Evidence
from trainlint.preflight.settings.said import as_it_looks
from trainlint.preflight.values.words import OFF


def reads_files(program: Program, files: frozenset[str]) -> bool:
    """Whether the files of a job read one that holds arguments: by a parser of such files, or by loading YAML or JSON."""
    names = {each.rpartition(".")[2] for each in known(program, "reads-arguments")}
    index = program.ask(CallGraph)
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
