"""The page as a whole: its head with its policy, its summary, its filters, and its parts.

What stands beside the findings: without the script the contents, with it filters and search.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from trainlint import __version__
from trainlint.app.report.html_page import checklist as checks
from trainlint.app.report.html_page.checklist import VERDICTS
from trainlint.app.report.html_page.elements import Node, element, verbatim, written
from trainlint.app.report.html_page.findings import SIGNS, Shown, prepared, section
from trainlint.app.report.places import LinesOf, display_path, is_fixable
from trainlint.codes import TITLES
from trainlint.finding import Applicability, Finding, Level

_KEYS = (
    ("/", "search"),
    ("j k", "next, previous"),
    ("Enter", "open or close"),
    ("Esc", "close, clear the search"),
)
_REPAIRS = {"safe": "safe repair", "unsafe": "unsafe repair", "shown": "suggestion", "none": "no repair"}


def beside(found: Sequence[Shown], checklist: Mapping[str, Any] | None) -> ET.Element:
    """The column beside the findings."""
    return element("aside", _families(found), _form(found, checklist))


def _families(found: Sequence[Shown]) -> ET.Element:
    """Links that stand in for the filters where there is no script."""
    counts = Counter(one.family for one in found)
    links = (
        element("li", element("a", _filter_title(name), href=f"#family-{name}"), " ", _number(count))
        for name, count in counts.items()
    )
    return element("nav", element("ol", *links), id="families", aria_label="Families")


def _form(found: Sequence[Shown], checklist: Mapping[str, Any] | None) -> ET.Element:
    parts: list[ET.Element | None] = []
    if checklist is not None:
        verdicts = Counter(str(line["verdict"]) for job in checklist["jobs"] for line in job["lines"])
        words = {name: words for name, (_, words) in VERDICTS.items()}
        parts.append(_scripts(checklist["jobs"]))
        parts.append(_boxes("verdict", "Checklist", words, verdicts, {name: sign for name, (sign, _) in VERDICTS.items()}))
    levels = Counter(one.finding.level.value for one in found)
    parts.append(_boxes("level", "Level", {name: name for name in SIGNS}, levels, SIGNS))
    families = Counter(one.family for one in found)
    parts.append(_boxes("family", "Family", {name: _filter_title(name) for name in families}, families))
    parts.append(_boxes("repair", "Repair", _REPAIRS, Counter(one.repair for one in found)))
    parts.append(_files(Counter(one.file for one in found)))
    search = element(
        "label",
        element("span", "Search", class_="label"),
        element("input", type="search", id="search", autocomplete="off", spellcheck="false", aria_keyshortcuts="/"),
        class_="search",
    )
    keys = element("dl", *_keys(), class_="keys")
    reset = element("button", "Clear all", type="button", id="show-all")
    folded = element("details", element("summary", "Filter"), *parts, reset, keys, class_="folded", open=True)
    return element("form", search, folded, role="search", aria_label="Filter the report", id="filter", hidden=True)


def _filter_title(family: str) -> str:
    about = TITLES.get(family, "")
    return about[:1].upper() + about[1:] or family


def _boxes(
    name: str, legend: str, words: Mapping[str, str], counts: Mapping[str, int], signs: Mapping[str, str] | None = None
) -> ET.Element | None:
    """A box for each word that occurs; none where there is nothing to choose from."""
    rows = [
        element(
            "label",
            element("input", type="checkbox", name=name, value=value),
            element("span", signs[value], class_=f"sign {value}", aria_hidden="true") if signs else None,
            element("span", word, class_="word"),
            _number(counts[value]),
        )
        for value, word in words.items()
        if counts.get(value)
    ]
    return element("fieldset", element("legend", legend), *rows) if len(rows) > 1 else None


def _files(counts: Mapping[str, int]) -> ET.Element | None:
    if len(counts) < 2:  # noqa: PLR2004 - nothing to choose from
        return None
    options = [element("option", "All files", value="")]
    options += [element("option", f"{file} ({count})", value=file) for file, count in sorted(counts.items())]
    return element("label", element("span", "File", class_="label"), element("select", *options, id="file"), class_="file-choice")


def _scripts(jobs: Sequence[Mapping[str, Any]]) -> ET.Element | None:
    if len(jobs) < 2:  # noqa: PLR2004 - nothing to choose from
        return None
    options = [element("option", "All scripts", value="")]
    for number, job in enumerate(jobs, start=1):
        options.append(element("option", display_path(Path(job["script"])), value=f"job-{number}"))
    return element(
        "label", element("span", "Script", class_="label"), element("select", *options, id="script"), class_="file-choice"
    )


def _keys() -> Iterator[ET.Element]:
    for keys, what in _KEYS:
        yield element("dt", *_separate(element("kbd", key) for key in keys.split()))
        yield element("dd", what)


def _separate(keys: Iterable[ET.Element]) -> Iterator[ET.Element | str]:
    for number, key in enumerate(keys):
        if number:
            yield " "
        yield key


def _number(count: int) -> ET.Element:
    return element("span", str(count), class_="count")


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
    title = _page_title(found, checklist)
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


def _page_title(found: Sequence[Shown], checklist: Mapping[str, Any] | None) -> str:
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
