"""The page as a whole: its head with the policy that lets nothing in or out, its summary, and its parts."""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET  # only written here, never read

from trainlint import __version__
from trainlint.finding import Applicability, Finding, Level
from trainlint.report.html_page import checklist as checks
from trainlint.report.html_page.filters import beside
from trainlint.report.html_page.findings import SIGNS, Shown, prepared, section
from trainlint.report.html_page.tree import Node, element, verbatim, written
from trainlint.report.places import LinesOf, display_path, is_fixable

#: With more findings than this a browser is told to lay out only what is in sight.
_MANY = 300
_FOLDER = Path(__file__).resolve().parent


def render(findings: Iterable[Finding], lines_of: LinesOf, *, unsafe: bool = False) -> str:
    """The findings as a page."""
    return page(findings, lines_of=lines_of, unsafe=unsafe)


def page(
    findings: Iterable[Finding], checklist: Mapping[str, Any] | None = None, *, lines_of: LinesOf, unsafe: bool = False
) -> str:
    """A whole HTML document that loads nothing.

    ``checklist`` is what ``trainlint preflight --output-format json`` prints, as data (its jobs and problems are shown; the
    findings are those given here). ``lines_of`` gives the source lines, ``unsafe`` says whether unsafe repairs are enabled.
    """
    found = prepared(findings, lines_of)
    style, script = ((_FOLDER / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    main: list[Node] = []
    if checklist is not None:
        main += [
            checks.parts(checklist["jobs"], _sum(found)),
            checks.section(checklist, found, lines_of),
            element("h2", "Findings", id="all-findings", class_="part", tabindex=-1),
        ]
    main.append(section(found, lines_of, unsafe=unsafe))
    title = _title(found, checklist)
    root = element(
        "html",
        _head(title, style, script),
        element(
            "body",
            element("a", "Skip to the report", href="#report", class_="skip"),
            _header(title, found, checklist, unsafe=unsafe),
            element(
                "div",
                beside(found, checklist),
                element("main", element("p", id="status", role="status"), *main, id="report", tabindex=-1),
                class_="page",
            ),
            element("footer", f"trainlint {__version__}"),
            verbatim("script", script),
            class_="many" if len(found) > _MANY else None,
        ),
        lang="en",
    )
    return written(root)


def _head(title: str, style: str, script: str) -> ET.Element:
    policy = f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; base-uri 'none'; form-action 'none'"
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", f"trainlint: {title}"),
        verbatim("style", style),
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _title(found: Sequence[Shown], checklist: Mapping[str, Any] | None) -> str:
    if checklist is None:
        return _sum(found)
    scripts = [display_path(Path(job["script"])) for job in checklist["jobs"]]
    return f"Pre-flight check of {scripts[0] if len(scripts) == 1 else _many(len(scripts), 'training script')}"


def _sum(found: Sequence[Shown]) -> str:
    return f"{_many(len(found), 'finding')} in {_many(len({one.file for one in found}), 'file')}" if found else "No findings"


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _header(title: str, found: Sequence[Shown], checklist: Mapping[str, Any] | None, *, unsafe: bool) -> ET.Element:
    levels = Counter(one.finding.level for one in found)
    tally = [
        element(
            "span", element("span", SIGNS[level.value], class_="sign", aria_hidden="true"), words, class_=f"level {level.value}"
        )
        for level, words in _levels(levels).items()
    ]
    repairs = _repairs([one.finding for one in found], unsafe=unsafe)
    return element(
        "header",
        element("p", "trainlint", class_="brand"),
        element("h1", *(element("span", word, element("wbr")) for word in re.findall(r"[^/]+/?|/", title))),
        None if checklist is None else checks.tally(checklist["jobs"]),
        element("p", None if checklist is None else element("span", _sum(found)), *tally, class_="tally"),
        element("p", *repairs, class_="lead") if repairs else None,
    )


def _levels(levels: Mapping[Level, int]) -> dict[Level, str]:
    words = {Level.ERROR: "error", Level.WARNING: "warning"}
    return {
        level: _many(levels[level], words[level]) if level in words else f"{levels[level]} advice"
        for level in Level
        if levels.get(level)
    }


def _repairs(found: Sequence[Finding], *, unsafe: bool) -> list[Node]:
    """How many of the findings a command would repair, and by which."""
    fixable = sum(is_fixable(one, unsafe=unsafe) for one in found)
    more = sum(one.repair is not None and one.repair.applicability is Applicability.UNSAFE for one in found)
    said: list[Node] = []
    if fixable:
        said += [element("code", "trainlint check --fix"), f" repairs {fixable} of them"]
    if more and not unsafe:
        said.append(", " if said else "")
        said += [
            element("code", "--unsafe-fixes"),
            f" {'' if fixable else 'would repair '}{more}{' more' if fixable else ' of them'}",
        ]
    return [*said, "."] if said else []


__all__ = ["page", "render"]
