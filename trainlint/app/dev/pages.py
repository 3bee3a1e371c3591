"""Rule pages: their grammar, and their test.

From Markdown to sections and the small projects of their code blocks; every code block is analysed, and what the page says must
be what happens.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from trainlint.app.dev import catalogue, expectations
from trainlint.codes import INSTALLED
from trainlint.edits.apply import apply_edits, select_non_overlapping

if TYPE_CHECKING:
    from trainlint.finding import Finding, Repair
    from trainlint.rules.api import Rule

HEADINGS = ("What it finds", "Why it hurts", "Example", "Use instead", "When it stays silent", "Repair", "References")
OPTIONAL = frozenset({"Repair"})
#: The section that is generated, of a rule that is an automaton; it stands behind those that are run.
PROTOCOL = "Protocol"
_LEGEND = "The first row that fits counts; where none does, the state stays as it is."
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


PASSES = 20


class RepairLoop(RuntimeError):
    """Repairs never came to an end: each pass makes a new finding with a repair."""


def repair_project(root: Path, check: Callable[[Path], list[Finding]]) -> int:
    """Apply the repairs ``check`` offers below ``root`` until none is left; the number of passes. Raises :class:`RepairLoop`."""
    for done in range(PASSES):
        repairs: dict[Path, list[Repair]] = {}
        for finding in check(root):
            if finding.repair is not None:
                repairs.setdefault(finding.path, []).append(finding.repair)
        if not repairs:
            return done
        for path, offered in repairs.items():
            chosen, _later = select_non_overlapping(offered)
            text = path.read_bytes().decode("utf-8")
            path.write_bytes(apply_edits(text, [edit for repair in chosen for edit in repair.edits]).encode("utf-8"))
    raise RepairLoop(f"repairs below {root} do not come to an end")


Check = Callable[[Path, "Sequence[str] | None"], "list[Finding]"]
"""Analyses a folder with the given codes, or with the default rules when there are none given."""

UNSHOWN: Mapping[str, str] = {
    "TL005": "it reports a mistake in trainlint, and a known one is repaired, not shown",
    "TL006": "which syntax is newer depends on the Python that runs the tests",
}
"""Rules whose pages have no bad block that is run → why not. A page that has one all the same is reported as a mistake here."""


def check_folder(root: Path, select: Sequence[str] | None) -> list[Finding]:
    """The real engine: what the selected (or default) rules report below ``root``."""
    from trainlint import check_paths

    return check_paths([root], select=None if select is None else list(select))


def run_page(path: Path, check: Check = check_folder, rule: Rule | None = None) -> list[str]:
    """Everything that is wrong with the rule page at ``path``: sentences ``page:line: …``; none when the page is right.

    ``rule`` is the declaration to hold the page against; by default the one of the module that has the page's name.
    """
    try:
        page = parse_page(path.read_text(encoding="utf-8"))
        rule = rule or catalogue.rule_of(page, path.parent.name)
        found = [*_form(page, path), *_status(page, rule), *_protocol(page, path, rule), *_code(page, check)]
    except (PageError, catalogue.NoSuchRule) as error:
        found = [str(error)]
    return [f"{path}:{each}" for each in found]


def bless_page(path: Path, check: Check = check_folder, rule: Rule | None = None) -> bool:
    """Rewrite what is generated of a page; True when that changed it. Raises like :func:`parse_page`."""
    old = path.read_text(encoding="utf-8")
    rule = rule or catalogue.rule_of(parse_page(old), path.parent.name)
    text = with_protocol(old, rule)
    page = parse_page(text)
    lines = text.splitlines(keepends=True)
    blocks = [each for section in page.sections for project in section.projects() for each in _repaired(project, page, check)]
    for block, text in sorted(blocks, key=lambda pair: -pair[0].line):
        lines[block.line - 1 : block.last_line - 1] = [text]
    lines[page.status_line - 1] = catalogue.status_line(rule) + "\n"
    new = "".join(lines)
    if new != old:
        path.write_text(new, encoding="utf-8", newline="\n")
    return new != old


def with_protocol(text: str, rule: Rule) -> str:
    """The text of a page with the automata of its rule, as its module has them, in a section of their own."""
    text = re.sub(rf"^## {PROTOCOL}\n.*?(?=^## |\Z)", "", text, flags=re.MULTILINE | re.DOTALL)
    if not rule.protocols:
        return text
    from trainlint.flow.protocols import Protocol

    found = vars(importlib.import_module(f"trainlint.{rule.protocols}")).values()
    printed = [each.printed() for each in found if isinstance(each, Protocol) and each.rule == rule.code]
    section = "\n".join([f"## {PROTOCOL}\n\n{_LEGEND}\n", *printed, ""])
    return re.sub(r"^(?=## (Repair|References)$)", lambda _: section, text, count=1, flags=re.MULTILINE)


def pages_of(folder: Path, codes: Sequence[str] = ()) -> list[Path]:
    """The rule pages below ``folder``, of the given codes or all, sorted by code."""
    found = sorted(folder.glob("*/TL*.md"), key=lambda each: each.name)
    return [each for each in found if not codes or each.name.split("-", 1)[0] in codes]


def main(codes: Sequence[str] = (), bless: bool = False, folder: Path | None = None) -> int:
    """The command: check pages (after ``bless``: rewritten ones) and print problems.

    0 when all is right, 1 when not, 2 when a code has no page.
    """
    if folder is None and codes and all(code in INSTALLED.rows for code in codes):
        return _of_other_packages([Path(INSTALLED.rows[code].page) for code in codes], bless)
    folder = catalogue.pages_folder() if folder is None else folder
    pages = pages_of(folder, codes)
    missing = sorted(set(codes) - {each.name.split("-", 1)[0] for each in pages})
    if missing:
        print(f"no page for {', '.join(missing)} below {folder}")
        return 2
    if bless:
        _bless_all(pages, folder)
    problems = [each for page in pages for each in run_page(page)]
    if not catalogue.index_is_fresh(folder):
        problems.append(f"{folder / 'README.md'}:1: the index is stale: run `trainlint dev pages --bless`")
    print("\n".join([*problems, f"{len(pages)} pages, {len(problems)} problems"]))
    return 1 if problems else 0


def _of_other_packages(pages: Sequence[Path], bless: bool) -> int:
    """The same for pages that another installed package brings, and that are in no index of ours."""
    if bless:
        _bless_pages(pages)
    problems = [each for page in pages for each in run_page(page)]
    print("\n".join([*problems, f"{len(pages)} pages, {len(problems)} problems"]))
    return 1 if problems else 0


def _bless_pages(pages: Sequence[Path]) -> None:
    for page in pages:
        try:
            if bless_page(page):
                print(f"rewritten: {page}")
        except (PageError, catalogue.NoSuchRule):
            continue  # run_page says so, with the line


def _bless_all(pages: Sequence[Path], folder: Path) -> None:
    _bless_pages(pages)
    if catalogue.write_index(folder):
        print(f"rewritten: {folder / 'README.md'}")


def _form(page: Page, path: Path) -> Iterator[str]:
    """Name of the file, headings and their order, nothing left to do, code only where it is run."""
    if path.name != f"{page.code}-{page.name}.md":
        yield f"1: the file must be called {page.code}-{page.name}.md"
    headings = [each.heading for each in page.sections if each.heading != PROTOCOL]
    wanted = [each for each in HEADINGS if each in headings or each not in OPTIONAL]
    if headings != wanted:
        yield f"1: the headings must be, in this order: {', '.join(wanted)}; they are: {', '.join(headings)}"
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if "TODO" in line:
            yield f"{number}: still to do: {line.strip()}"
    for section in page.sections:
        if not section.has_text:
            yield f"{section.line}: `{section.heading}` is empty"
        if section.blocks and section.heading not in RUNNABLE:
            yield f"{section.blocks[0].line}: a code block under `{section.heading}` is never run: call it `text`"
        for block in section.broken:
            yield from _broken(block, section)


def _broken(block: Block, section: Section) -> Iterator[str]:
    """A block called broken is a bad example by itself, and no Python parses it."""
    if section.heading != "Example" or block.file is not None or block.repaired:
        yield f"{block.line}: a broken block stands under `Example`, without a name, and is not repaired"
    try:
        ast.parse(block.text)
    except (SyntaxError, RecursionError, MemoryError):
        return
    yield f"{block.line}: this block can be parsed: it is not broken"


def _status(page: Page, rule: Rule) -> Iterator[str]:
    """The status line and the title say what the rule and the catalogue say."""
    if (page.code, page.name) != (rule.code, rule.name):
        yield f"1: the rule is declared as {rule.name} ({rule.code})"
    if page.status != catalogue.status_line(rule):
        yield f"{page.status_line}: the status line must be `{catalogue.status_line(rule)}`{_cure(page)}"
    if (rule.fix == "none") == (page.section("Repair") is not None):
        yield f"1: there must be a section `Repair` exactly when the rule has a repair (declared: {rule.fix})"


def _protocol(page: Page, path: Path, rule: Rule) -> Iterator[str]:
    """The section with the automata is there exactly when the rule has such, and is what they print."""
    text = path.read_text(encoding="utf-8")
    if with_protocol(text, rule) != text:
        section = page.section(PROTOCOL)
        yield f"{section.line if section is not None else 1}: the section `{PROTOCOL}` is stale{_cure(page)}"


def _code(page: Page, check: Check) -> Iterator[str]:
    """Bad blocks are reported where they say, the others are silent, repaired blocks are what the repair makes."""
    silent = 0
    for section in page.sections:
        if section.heading not in RUNNABLE:
            continue
        if section.heading == "Example":
            for project in [*section.projects(), *(Project({UNNAMED: block}) for block in section.broken)]:
                yield from _bad(project, page, check)
                yield from _stale(project, page, check)
        else:
            projects = section.projects()
            silent += len(projects)
            for project in projects:
                yield from _silent(project, section, page, check)
    if _expects(page) == (page.code in UNSHOWN):
        what = "is said to be unshown, and is shown" if page.code in UNSHOWN else f"must expect {page.code} at least once"
        yield f"1: the example {what}"
    if not silent:
        yield "1: the page must show at least one silent block"


def _expects(page: Page) -> bool:
    example = page.section("Example")
    blocks = (*example.blocks, *example.broken) if example is not None else ()
    return any(
        each.code == page.code and not each.known_miss
        for block in blocks
        for each in expectations.read_text(block.text, block.file or block.unnamed)
    )


def _bad(project: Project, page: Page, check: Check) -> Iterator[str]:
    if not any(expectations.read_text(block.text, name) for name, block in project.files.items()):
        yield f"{_first_line(project)}: a bad example without `# expect: {page.code}`"
    with _on_disk(project) as root:
        rules = _rules_for(page)  # one that is selected by name says what is likely, too
        found = expectations.problems(root, check(root, rules), likely=rules is not None)
        yield from (_at_page_line(each, project) for each in found)


def _rules_for(page: Page) -> Sequence[str] | None:
    """Which rules run on a bad example: the page's own; for one about the linter itself all, since it speaks of the others."""
    return None if page.code.startswith("TL0") else [page.code]


def _silent(project: Project, section: Section, page: Page, check: Check) -> Iterator[str]:
    """Silent under all default rules and under the page's own, which may be off by default."""
    if project.repaired:
        yield f"{_first_line(project)}: nothing is repaired under `{section.heading}`"
    with _on_disk(project) as root:
        difference = expectations.problems(root, check(root, None)) or expectations.problems(root, check(root, [page.code]))
        yield from (_at_page_line(each, project) for each in difference)


def _stale(project: Project, page: Page, check: Check) -> Iterator[str]:
    for block, text in _repaired(project, page, check):
        if block.text != text:
            yield f"{block.line}: the repair makes something else of it{_cure(page)}; it makes:\n{text}"


def _repaired(project: Project, page: Page, check: Check) -> list[tuple[Block, str]]:
    """Each ``Repaired:`` block with the text that the page's own repair really gives, expectation comments left out."""
    if not project.repaired:
        return []
    with _on_disk(project, expectations.without) as root:
        repair_project(root, lambda folder: [each for each in check(folder, _rules_for(page)) if each.code == page.code])
        return [(block, (root / name).read_text(encoding="utf-8")) for name, block in project.repaired.items()]


@contextlib.contextmanager
def _on_disk(project: Project, change: Callable[[str], str] = str) -> Iterator[Path]:
    """The project's files, each text passed through ``change``, in a fresh folder that goes away afterwards."""
    with tempfile.TemporaryDirectory(prefix="trainlint-page-") as folder:
        root = Path(folder).resolve()
        for name, block in project.files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(change(block.text), encoding="utf-8", newline="\n")
        yield root


def _cure(page: Page) -> str:
    return f": run `trainlint dev pages {page.code} --bless`"


def _first_line(project: Project) -> int:
    return next(iter(project.files.values())).line


def _at_page_line(sentence: str, project: Project) -> str:
    """Turn ``file:line: …`` of a block's project into ``line of the page: …``."""
    name, line, rest = sentence.split(":", 2)
    block = project.files.get(name)
    return f"{_first_line(project)}: {sentence}" if block is None else f"{block.line - 1 + int(line)}:{rest}"
