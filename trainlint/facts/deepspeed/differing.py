"""Sizes and precisions that a script, or a launch line, says otherwise than the configuration of DeepSpeed that it names.

Who reads both: transformers (5.23, ``integrations/deepspeed.py``, ``fill_match``) compares what its arguments say with the file
and ends the job where they differ; accelerate (1.15, ``set_mixed_precision``) refuses another narrow precision, and goes by the
accumulation steps of the file; Lightning (2.6) enables its precision beside that of the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.documents.document import Document
from trainlint.documents.tree import Mapping, Plain
from trainlint.facts.deepspeed.stated import MICRO, STEPS, Stated, Statements, of_mapping
from trainlint.facts.deepspeed.uses import Use, uses
from trainlint.facts.launching.launches import Launch, Launcher, Option, launches
from trainlint.facts.launching.references import named_documents
from trainlint.facts.program import Program
from trainlint.finding import Spot

_YES = {None: True, "true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


class Difference(NamedTuple):
    """What is said (``said.written`` is the argument or option) and what the configuration states.

    ``reader`` is who reads both (a dotted name). ``node`` is the kind of thing at the place of ``said``, in ``statement``.
    """

    said: Stated
    stated: Stated
    reader: str
    node: str
    statement: Spot


class Told(NamedTuple):
    """What a launch line says beside the name of a configuration, and what that states."""

    launch: Launch
    document: Document
    reader: str
    said: Statements
    stated: Statements


def of_sizes(program: Program) -> Iterator[Difference]:
    """Micro-batches and accumulation steps: of launch lines in the program without modules, of calls in the others."""
    for said, stated, reader, node, statement in _compared(program):
        for key in (MICRO, STEPS):
            one, other = said.get(key), stated.get(key)
            if one is None or other is None or one.number is None or other.number is None or one.number == other.number:
                continue
            yield Difference(one, other, reader, node, statement or one.spot)


def of_precisions(program: Program) -> Iterator[Difference]:
    """The first difference of each line, and of each call."""
    alike = program.knowledge.tables["deepspeed.equal"]
    for said, stated, reader, node, statement in _compared(program):
        found = next(_conflicting(said, stated, is_strict=reader in alike), None)
        if found is not None:
            yield Difference(*found, reader, node, statement or found[0].spot)


def _conflicting(said: Statements, stated: Statements, *, is_strict: bool) -> Iterator[tuple[Stated, Stated]]:
    precisions = ("fp16", "bf16")
    for one, other in (precisions, precisions[::-1]):
        if one in said and said[one].value is True and other in stated and stated[other].value is True:
            yield said[one], stated[other]
    for each in precisions if is_strict else ():
        if each in said and each in stated and {said[each].value, stated[each].value} == {True, False}:
            yield said[each], stated[each]


def _compared(program: Program) -> Iterator[tuple[Statements, Statements, str, str, Spot | None]]:
    if program.modules:
        for use in uses(program):
            yield _with_defaults(program, use), use.configuration, use.callee, "Call", use.site.call.statement
    else:
        for told in told_by_launches(program):
            yield told.said, told.stated, told.reader, "Text", None


def _with_defaults(program: Program, use: Use) -> Statements:
    """What a call says, with the defaults of what it leaves out, where those are compared too and all arguments are in sight."""
    defaults = program.knowledge.tables["deepspeed.equal"].get(use.callee)
    if defaults is None or not use.is_whole:
        return use.said
    words = program.knowledge.tables["deepspeed.said"]
    site = use.site
    found = dict(use.said)
    for default in defaults:
        name, _, text = default.partition("=")
        if not {name, program.knowledge.tables["deepspeed.unless"].get(name)} & {key for key, _ in site.call.term.kwargs}:
            value: Plain = int(text) if text.isdigit() else text == "True"
            found.setdefault(words[name], Stated(name, value, site.module, site.call.term.site))
    return found


def told_by_launches(program: Program) -> Iterator[Told]:
    """The launch lines that name a configuration by an option of the table ``deepspeed.options``."""
    options = program.knowledge.tables["deepspeed.options"]
    for launch in program.ask(launches):
        if not launch.is_sure:
            continue
        for word, document in named_documents(program, launch):
            if len(document.roots) != 1 or not isinstance(document.roots[0], Mapping):
                continue
            for name, reader in options.items():
                giver = _giver(launch, name, word.spot)
                if giver is not None:
                    stated = of_mapping(document, document.roots[0], program.knowledge)
                    yield Told(launch, document, reader, _said(program, launch, giver), stated)


def _giver(launch: Launch, name: str, spot: Spot) -> Launch | Launcher | None:
    """Who has the option ``name`` with the value at a place: the script, or one of the launchers."""
    own = launch.argument(name)
    if own is not None and own.value is not None and own.value.spot == spot:
        return launch
    for launcher in launch.launchers:
        option = launcher.option(name)
        if option is not None and option.value is not None and option.value.spot == spot:
            return launcher
    return None


def _said(program: Program, launch: Launch, giver: Launch | Launcher) -> Statements:
    tables = program.knowledge.tables
    found: Statements = {}
    for name, what in tables["deepspeed.said"].items():
        option = _option(giver, "--" + name.replace("_", "-"))
        if option is None or (option.value is not None and option.text is None):
            continue
        unless = tables["deepspeed.unless"].get(name)
        if unless is not None and _option(giver, "--" + unless.replace("_", "-")) is not None:
            continue
        text = None if option.text is None else option.text.lower()
        chosen: str | None = what
        value: Plain = option.number if what in (MICRO, STEPS) else _YES.get(text, "?")
        if what == "precision":
            chosen, value = tables["deepspeed.narrow"].get(text or ""), True
        if chosen is not None and value is not None:
            written = (option.word.text or name).partition("=")[0]
            said = f"{written} {option.text}" if what == "precision" else written
            found[chosen] = Stated(said, value, launch.document.path, option.word.spot)
    return found


def _option(giver: Launch | Launcher, name: str) -> Option | None:
    return giver.argument(name) if isinstance(giver, Launch) else giver.option(name)
