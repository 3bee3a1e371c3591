"""What each rule says alone, and what it says among all others: the same, or the answer depends on who else asks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from trainlint.app.engine.analysis import Analyser
from trainlint.app.engine.project import context_files, discover, options_of
from trainlint.app.engine.workspace import Workspace
from trainlint.config import Overrides, find_settings
from trainlint.config.settings import Settings
from trainlint.finding import Finding
from trainlint.ir.sketch import Module
from trainlint.knowledge import load_knowledge
from trainlint.rules.registry import built


class Difference(NamedTuple):
    """A finding that a rule has only among the others (``alone`` is False), or only alone."""

    code: str
    alone: bool
    place: str


def settings_for(root: Path, select: Iterable[str]) -> Settings:
    return find_settings(root, Overrides(flags={"select": list(select), "preview": True}), isolated=True)


def analyser(root: Path, select: Iterable[str], lowered: dict[str, Module] | None = None) -> Analyser:
    """An analyser of a folder. Files in ``lowered`` are not lowered again: that depends on nothing but their text."""
    settings = settings_for(root, select)
    targets = discover([root], options_of(settings)).files
    context, roots, _, _ = context_files(targets, [root], settings)
    made = Analyser(Workspace(targets, context), settings, load_knowledge(settings.knowledge), roots)
    if lowered is not None:
        made.modules = lowered
    return made


def shown(finding: Finding) -> str:
    """All of a finding but its repair's text: places, words, ways."""
    return repr((str(finding.path), finding.span, finding.cell, finding.message, finding.related, finding.repair))


def differences(root: Path, codes: Iterable[str] | None = None) -> Iterator[Difference]:
    """What the rules (default: all) say of a folder alone and not among all others, or the reverse."""
    lowered: dict[str, Module] = {}
    everything = analyser(root, ["ALL"], lowered).run().findings
    for code in sorted(codes or built()):
        if code.startswith("TL00"):
            continue  # about the run itself: they say of other rules what could not be looked at
        together = {shown(finding): finding for finding in everything if finding.code == code}
        alone = {shown(f): f for f in analyser(root, [code], lowered).run().findings if f.code == code}
        for only, here, there in ((False, together, alone), (True, alone, together)):
            for key in sorted(here.keys() - there.keys()):
                finding = here[key]
                yield Difference(code, only, f"{finding.path}:{finding.span.line}:{finding.span.column}: {finding.message}")
