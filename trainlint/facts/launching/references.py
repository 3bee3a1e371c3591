"""Which files beside the Python a launch line names, and how many processes it starts."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.documents.kinds import kind_of

if TYPE_CHECKING:
    from trainlint.documents.document import Document
    from trainlint.documents.expansion import Word
    from trainlint.facts.launching.launches import Launch
    from trainlint.facts.program import Program


def named_documents(program: Program, launch: Launch) -> Iterator[tuple[Word, Document]]:
    """The configurations that a line names, as an argument of its own or behind ``--option=``, each with the word."""
    words = [
        *launch.arguments,
        *(option.value for each in launch.launchers for option in each.options if option.value is not None),
    ]
    for word in words:
        name = (word.text or "").rpartition("=")[2]
        if kind_of(name.rpartition("/")[2]) in ("json", "yaml", "toml"):
            document = _document(program, launch, name)
            if document is not None:
                yield word, document


def _document(program: Program, launch: Launch, name: str) -> Document | None:
    """The file of a name: seen from the launch line, from the script, or from a folder above them."""
    for start in (launch.document.path, launch.path):
        folder = os.path.dirname(start or "")  # noqa: PTH120
        while folder:
            found = program.documents.at(os.path.normpath(os.path.join(folder, name)))  # noqa: PTH118
            if found is not None:
                return found
            above = os.path.dirname(folder)  # noqa: PTH120
            if len(folder) <= len(program.finder.top) or above == folder:
                break
            folder = above
    return None


def processes(launch: Launch) -> int | None:
    """How many processes a line starts in all, where it says so itself."""
    if not launch.is_sure:
        return None
    torchrun = launch.launcher("torchrun", "launch")
    if torchrun is not None:
        nodes, each = torchrun.option("--nnodes"), torchrun.option("--nproc-per-node")
        count = 1 if nodes is None else nodes.number
        own = 1 if each is None else each.number
        return None if count is None or own is None else count * own
    deepspeed = launch.launcher("deepspeed")
    if deepspeed is not None:
        return _of_deepspeed(launch)
    accelerate = launch.launcher("accelerate")
    if accelerate is not None:
        count_of = accelerate.option("--num-processes")
        return None if count_of is None else count_of.number
    return None


def _of_deepspeed(launch: Launch) -> int | None:
    """What ``--num_gpus`` says, on one node unless it says more; what is in a host file is not known."""
    deepspeed = launch.launcher("deepspeed")
    if deepspeed is None or deepspeed.option("-H", "--hostfile", "-e", "--exclude") is not None:
        return None
    gpus, nodes, include = deepspeed.option("--num-gpus"), deepspeed.option("--num-nodes"), deepspeed.option("-i", "--include")
    if include is not None:
        return _included(include.text or "")
    if gpus is None or gpus.number is None:
        return None
    count = 1 if nodes is None else nodes.number
    # Without a number of nodes it is that of /job/hostfile, if the machine has one: few lines that say `--num_gpus` mean that.
    return None if count is None else count * gpus.number


def _included(text: str) -> int | None:
    """``host:0,1@other:0``: how many GPUs that are."""
    total = 0
    for host in text.split("@"):
        _, colon, numbers = host.partition(":")
        if not colon or not all(number.strip().isdigit() for number in numbers.split(",")):
            return None
        total += len(numbers.split(","))
    return total
