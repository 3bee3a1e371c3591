"""What stands beside the findings: without the script the contents, with it filters and search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET  # only written here, never read

from trainlint.codes import TITLES
from trainlint.report.html_page.checklist import VERDICTS
from trainlint.report.html_page.findings import SIGNS, Shown
from trainlint.report.html_page.tree import element
from trainlint.report.places import display_path

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
        element("li", element("a", _title(name), href=f"#family-{name}"), " ", _number(count)) for name, count in counts.items()
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
    parts.append(_boxes("family", "Family", {name: _title(name) for name in families}, families))
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


def _title(family: str) -> str:
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


__all__ = ["beside"]
