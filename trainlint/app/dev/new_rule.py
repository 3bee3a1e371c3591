"""``trainlint dev new-rule FAMILY/NAME``: a new rule starts as its page and a module that fails the page's test.

A code that the catalogue does not have gets its row there: it is taken, for good, once somebody could have seen it.
"""

from __future__ import annotations

import re
from pathlib import Path

from trainlint.app.dev import catalogue as declared
from trainlint.app.dev.pages import HEADINGS

_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
#: A row of the catalogue: a code, its level.
_ROW = re.compile(r"TL\d{3} [EWA] ")

_SECTIONS = {
    "What it finds": "TODO: one sentence: who does what, and when it is reported.",
    "Why it hurts": "TODO: what happens at run time, and how long it takes a person to find out.",
    "Example": "```py\nTODO_bad_code()  # expect: {code}\n```",
    "Use instead": "```py\nTODO_good_code()\n```",
    "When it stays silent": "TODO: the correct code that looks like the mistake.\n\n```py\nTODO_correct_neighbour()\n```",
    "Repair": "TODO: what is changed, and why that is safe or not; drop this section when there is no repair.",
    "References": "- TODO: the handbook's file and section, the framework's documentation.",
}

_MODULE = '''"""{code} {name}: see the page of the same name in ``rules/{family}/``."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Rule, Suspect

RULE = Rule.ours(
    code="{code}",
    summary="TODO",
    needs=(),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """TODO: what is asked of the program, by ``program.ask``; where the answers come from is imported here."""
    yield from ()
'''


class BadRuleName(ValueError):
    """FAMILY/NAME does not say where a new rule can go; the message says why."""


def scaffold(target: str, root: Path) -> tuple[Path, Path]:
    """Write page and module of the rule ``FAMILY/NAME`` below the checkout ``root``, and the row of a new code; both paths.

    Raises :class:`BadRuleName`.
    """
    family, name = _split(target)
    code = _code(family, name, root)
    page = root / "rules" / family / f"{code}-{name}.md"
    module = root / "trainlint" / "rules" / family / f"{code.lower()}_{name.replace('-', '_')}.py"
    for path in (page, module):
        if path.exists():
            raise BadRuleName(f"{path} is there already")
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(page_template(code, name), encoding="utf-8", newline="\n")
    module.write_text(_MODULE.format(code=code, name=name, family=family), encoding="utf-8", newline="\n")
    if code not in declared.codes():
        _take(code, name, root / "trainlint" / "catalogue.py")
    return page, module


def _take(code: str, name: str, catalogue: Path) -> None:
    """Write a row of the catalogue, behind those of lower codes: a warning without a repair."""
    lines = catalogue.read_text(encoding="utf-8").splitlines(keepends=True)
    rows = [number for number, line in enumerate(lines) if _ROW.match(line) and line[:5] < code]
    lines.insert(rows[-1] + 1, f"{code} W -  - {name}\n")
    catalogue.write_text("".join(lines), encoding="utf-8", newline="\n")


def page_template(code: str, name: str) -> str:
    """The text of a new page: every heading in order, every part still to do."""
    parts = [f"# {name} ({code})", "TODO: the status line comes from `trainlint dev pages --bless`"]
    parts += [f"## {heading}\n\n{_SECTIONS[heading].format(code=code)}" for heading in HEADINGS]
    return "\n\n".join(parts) + "\n"


def main(target: str, root: Path | None = None) -> int:
    """The command: write both files and say what to do next; 0, or 2 when the name is no good."""
    try:
        page, module = scaffold(target, declared.checkout() if root is None else root)
    except BadRuleName as error:
        print(error)
        return 2
    code = page.name.split("-", 1)[0]
    print(f"page:   {page}\nmodule: {module}")
    print(f"write the page first, then: trainlint dev pages {code}   (or: python -m pytest tests/test_pages.py -k {code})")
    return 0


def _split(target: str) -> tuple[str, str]:
    """FAMILY and NAME, checked."""
    family, slash, name = target.partition("/")
    if not slash or not _NAME.fullmatch(name):
        raise BadRuleName(f"{target!r}: wanted FAMILY/NAME, the name in lower case with hyphens")
    if family not in declared.FAMILIES:
        raise BadRuleName(f"{family!r} is no family: {', '.join(declared.FAMILIES)}")
    return family, name


def _code(family: str, name: str, root: Path) -> str:
    """The catalogue's code for a name it knows, else the first number of the family after all that are taken."""
    prefix = declared.FAMILIES[family]
    known = declared.code_of(name)
    if known is not None:
        if not known.startswith(prefix):
            raise BadRuleName(f"{name} is {known}, which is not of the family {family}")
        return known
    files = [*root.glob(f"rules/{family}/{prefix}*.md"), *root.glob(f"trainlint/rules/{family}/{prefix.lower()}*.py")]
    taken = {int(file.name[2:5]) for file in files} | {int(code[2:]) for code in declared.codes() if code.startswith(prefix)}
    free = max(taken, default=int(prefix[2:]) * 100) + 1
    if free // 100 != int(prefix[2:]):
        raise BadRuleName(f"the family {family} is full")
    return f"TL{free:03}"
