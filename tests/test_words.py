"""Words that PyTorch, JAX and TensorFlow's own documentation does not use for what we mean stand in no text for people."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

UNUSED = {
    r"behind": "after",
    r"anew": "again, or a verb with re-: reconstructed, recompiled, rewritten",
    r"(?:gone|goes|going) through (?:twice|all|each|every)": "iterated",
    r"nobody": "nothing, no rank, or the passive",
    r"left before": "exited earlier",
    r"the others (?:do|run|wait|hang|get|call|read|write|leave)": "the other ranks",
    r"(?:each|every|the next|the first|the second|in one|a|the same) round": "iteration",
    r"rounds of (?:a|the|this) loop": "iterations",
    r"hand(?:s|ed) (?:to|over|on|out)": "passed, yielded, returned",
    r"(?:is|are|was|were) emptied": "cleared",
    r"file sleeps": "is not parsed",
}
"""What is not written, as a regular expression, and what is written instead."""
_UNUSED = re.compile("|".join(rf"\b(?:{each})\b" for each in UNUSED))


def unused(text: str) -> list[str]:
    """The words of a text that are in the list."""
    return [found[0] for found in _UNUSED.finditer(text)]


def said(source: str) -> Iterator[tuple[int, str]]:
    """The string literals of a module that hold words, with their lines; docstrings are for those who work on it."""
    tree = ast.parse(source)
    statements = [node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value and node not in statements:
            yield node.lineno, node.value


def prose(markdown: str) -> str:
    """A page without its code, in blocks and in lines, and without the addresses of its links."""
    return re.sub(r"^```.*?^```|`[^`\n]*`|\]\([^)\n]*\)", " ", markdown, flags=re.MULTILINE | re.DOTALL)


MODULES = sorted(path for path in (ROOT / "trainlint").rglob("*.py") if path.name != "_prepared.py")
FOLDERS = ("docs/*.md", "rules/*/*.md", "trainlint/*/README.md", "editors/*/README.md")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(path for each in FOLDERS for path in sorted(ROOT.glob(each)))]


@pytest.mark.parametrize("module", MODULES, ids=lambda each: each.relative_to(ROOT).as_posix())
def test_what_a_module_says(module: Path) -> None:
    source = module.read_text(encoding="utf-8")
    assert [(line, word) for line, text in said(source) for word in unused(text)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda each: each.relative_to(ROOT).as_posix())
def test_what_a_page_says(page: Path) -> None:
    assert unused(prose(page.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "text", ["the step is behind the loop", "it is made anew", "iterated in each round", "the others wait", "is handed to it"]
)
def test_the_list_is_heeded(text: str) -> None:
    assert unused(text)
    assert not unused("after the loop it is constructed again, in each iteration; the other ranks get it")
