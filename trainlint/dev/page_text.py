"""The grammar of a rule page: from Markdown text to sections and the small projects their code blocks form.

A ```py block is code to be run. The line ``Repaired:`` before a block says that it is what the repair makes of the block
before it; a line that is only `` `name.py`: `` names the block's file. Named blocks of a section are one project, every
unnamed block is a project of its own. So are ```json, ```yaml, ```sh, ```dockerfile and ```requirements blocks, the files
beside the Python; a ```toml block is only run when it is named. A ```py broken block is one that no Python parses: it is run
like the others, but whoever asks for code that can be parsed does not get it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

HEADINGS = ("What it finds", "Why it hurts", "Example", "Use instead", "When it stays silent", "Repair", "References")
OPTIONAL = frozenset({"Repair"})
RUNNABLE = frozenset({"Example", "Use instead", "When it stays silent"})
UNNAMED = "example.py"
LANGUAGES = {
    "py": UNNAMED,
    "python": UNNAMED,
    "json": "config.json",
    "yaml": "config.yaml",
    "sh": "launch.sh",
    "dockerfile": "Dockerfile",
    "requirements": "requirements.txt",
    "toml": "",
}
"""What blocks are run, and what a block of each language is called that has no name; a nameless one of the last is not run."""

_TITLE = re.compile(r"# (?P<name>[a-z0-9]+(?:-[a-z0-9]+)*) \((?P<code>[A-Z]{2,3}\d{3})\)")
_NAMED = re.compile(r"`(?P<file>[\w./-]+\.\w+|[\w./-]*Dockerfile)`:")
_FENCE = re.compile(r"(?P<fence>`{3,})(?P<language>\w*)(?P<broken> broken)?\s*")


class PageError(ValueError):
    """The text is not a rule page; the message begins with the 1-based line."""


@dataclass(frozen=True)
class Block:
    """One block that is run: its ``file`` (None: unnamed), its ``text`` and the 1-based page ``line`` of its first code line."""

    text: str
    line: int
    file: str | None = None
    repaired: bool = False
    unnamed: str = UNNAMED

    @property
    def last_line(self) -> int:
        """The 1-based page line of the closing fence."""
        return self.line + self.text.count("\n")


@dataclass(frozen=True)
class Section:
    """A ``##`` heading with its 1-based line, and the code blocks below it; those that cannot be parsed are kept apart."""

    heading: str
    line: int
    blocks: tuple[Block, ...] = ()
    broken: tuple[Block, ...] = ()
    has_text: bool = True

    def projects(self) -> list[Project]:
        """The small projects the blocks form, in order. Raises :class:`PageError` when a repaired block has nothing to repair."""
        made: list[Project] = []
        named: Project | None = None
        last: Project | None = None
        for block in self.blocks:
            if block.repaired:
                _attach(block, last)
            elif block.file is None:
                made.append(last := Project({block.unnamed: block}))
            else:
                if named is None:
                    made.append(named := Project({}))
                if block.file in named.files:
                    raise PageError(f"{block.line}: {block.file} stands here twice")
                named.files[block.file] = block
                last = named
        return made


@dataclass(frozen=True)
class Project:
    """Files by relative path, and what the repair makes of some of them."""

    files: dict[str, Block]
    repaired: dict[str, Block] = field(default_factory=dict)


@dataclass(frozen=True)
class Page:
    """A whole rule page. ``status`` is the generated line, ``status_line`` the 1-based line on which it stands."""

    name: str
    code: str
    status: str
    status_line: int
    sections: tuple[Section, ...]

    def section(self, heading: str) -> Section | None:
        """The section of that heading, or None."""
        return next((each for each in self.sections if each.heading == heading), None)


def parse_page(text: str) -> Page:
    """Read a rule page. Raises :class:`PageError` on a malformed title, status line or fence; headings are not judged here."""
    lines = text.splitlines()
    title = _TITLE.fullmatch(lines[0]) if lines else None
    if title is None:
        raise PageError("1: the first line must be `# name-of-the-rule (TL000)`")
    status = next((number for number, line in enumerate(lines[1:], 2) if line.strip()), None)
    if status is None or lines[status - 1].startswith(("#", "`")):
        raise PageError("2: the title must be followed by the status line")
    return Page(title["name"], title["code"], lines[status - 1], status, tuple(_sections(lines)))


def _attach(block: Block, last: Project | None) -> None:
    """File a repaired block under the project it repairs."""
    if last is None:
        raise PageError(f"{block.line}: a `Repaired:` block with no block before it")
    file = block.file or next(reversed(last.files))
    if file not in last.files or file in last.repaired:
        raise PageError(f"{block.line}: `Repaired:` block for {file}, which is not there or repaired twice")
    last.repaired[file] = block


def _sections(lines: list[str]) -> Iterator[Section]:
    """Cut the page at its ``##`` headings (those outside of fences)."""
    heading, start, has_text = "", 0, False
    blocks: list[Block] = []
    broken: list[Block] = []
    file: str | None = None
    repaired = False
    fences = _fences(lines)
    number = 0
    while number < len(lines):
        number += 1
        line = lines[number - 1]
        if number in fences:
            end, language, is_broken = fences[number]
            unnamed = LANGUAGES.get(language, "")
            if unnamed or (language in LANGUAGES and file is not None):
                body = "".join(each + "\n" for each in lines[number : end - 1])
                (broken if is_broken else blocks).append(Block(body, number + 1, file, repaired, unnamed))
            file, repaired, has_text, number = None, False, True, end
        elif line.startswith("## "):
            if heading:
                yield Section(heading, start, tuple(blocks), tuple(broken), has_text)
            heading, start, blocks, broken, has_text = line[3:].strip(), number, [], [], False
        elif line.strip():
            named = _NAMED.fullmatch(line.strip())
            has_text = True
            if line.strip() == "Repaired:":
                repaired = True
            elif named is not None:
                file = named["file"]
            else:
                file, repaired = None, False
    if heading:
        yield Section(heading, start, tuple(blocks), tuple(broken), has_text)


def _fences(lines: list[str]) -> dict[int, tuple[int, str, bool]]:
    """Opening line of every fenced block → (closing line, language, broken), 1-based.

    Raises :class:`PageError` for one that is never closed.
    """
    found: dict[int, tuple[int, str, bool]] = {}
    opened: tuple[int, str, str, bool] | None = None
    for number, line in enumerate(lines, 1):
        match = _FENCE.fullmatch(line)
        if opened is not None:
            if match is not None and not match["language"] and len(match["fence"]) >= len(opened[1]):
                found[opened[0]] = (number, opened[2], opened[3])
                opened = None
        elif match is not None:
            opened = (number, match["fence"], match["language"], match["broken"] is not None)
    if opened is not None:
        raise PageError(f"{opened[0]}: this code block is never closed")
    return found
