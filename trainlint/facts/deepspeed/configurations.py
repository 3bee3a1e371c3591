"""DeepSpeed's configurations: which mappings in the files beside the Python are one.

A file is one when its whole says so by DeepSpeed's own keys; inside another file (a trainer's YAML) the mapping that has them is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from trainlint.documents.document import Document
from trainlint.documents.tree import Mapping, mappings
from trainlint.facts.program import Program
from trainlint.knowledge.words import read


@dataclass(frozen=True)
class Configuration:
    """A configuration: the file it is in, and its mapping there."""

    document: Document
    mapping: Mapping


def configurations(program: Program) -> Iterator[Configuration]:
    """All configurations of the run, by file and place."""
    keys = program.knowledge.tables["deepspeed.configuration"]["own"]
    for document in program.documents.of(read(program.knowledge, "deepspeed"), "json", "yaml"):
        for root in document.roots:
            for mapping in mappings(root):
                if any(key in mapping for key in keys):
                    yield Configuration(document, mapping)
