"""No regular expression can be made to run away: each of ours on strings that grow, in the ways that make others slow."""

from __future__ import annotations

import ast
import importlib
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import trainlint
from trainlint.config.project_files import specifiers
from trainlint.globs import read_pattern
from trainlint.source.discover import Excluder

PACKAGE = Path(trainlint.__file__).parent
#: Characters: twice as many must not take four times as long. What is linear takes milliseconds.
LONG = 32_000
SECONDS = 1.0

#: Modules whose texts are the user's own (a page that he writes, a name that he gives), or that need what may not be there.
_OWN = ("app.dev", "prepare", "_prepared", "pylint_plugin", "app.frontends.pylint_checkers", "app.frontends.flake8_checker")
_USED = re.compile(r"\bre\.[a-z]+\(")
_CALLS = ("match", "search", "fullmatch", "findall", "finditer", "sub", "split")

Pattern = re.Pattern[str] | re.Pattern[bytes]


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        if not name.startswith(_OWN) and _USED.search(path.read_text(encoding="utf-8")):
            yield name, path


class Used(NamedTuple):
    """A pattern, and the methods by which it is used."""

    pattern: Pattern
    ways: frozenset[str]


def patterns(name: str, path: Path) -> dict[str, Used]:
    """All that is compiled when a module is imported, and all that is written out (or named) in a call of ``re``."""
    found: dict[str, Used] = {}
    text = path.read_text(encoding="utf-8")
    module = importlib.import_module(f"trainlint.{name}")
    for word, value in vars(module).items():
        if isinstance(value, re.Pattern) and f"{word} = " in text:
            ways = frozenset(re.findall(rf"\b{word}\.({'|'.join(_CALLS)})\b", text))
            found[f"{name}.{word}"] = Used(value, ways or frozenset(("search",)))  # others may use it in any way
    for call in ast.walk(ast.parse(text)):
        match call:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=way), args=[written, *_]) if way in _CALLS:
                value = written.value if isinstance(written, ast.Constant) else None
                value = vars(module).get(written.id) if isinstance(written, ast.Name) else value
                if isinstance(value, (str, bytes)):
                    found[f"{name}:{call.lineno}"] = Used(re.compile(value), frozenset((way,)))
    return found


def attacks(pattern: Pattern) -> Iterator[str]:
    """Long strings of what the pattern speaks of, in ones and twos, with an end that it does not expect."""
    written = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    letters = sorted({*re.sub(r"\\[a-zA-Z]", "", written), *" \t\n\r\\'\"#.,:=([{0aA_*-+"} - set("|?^$<>"))
    words = re.findall(r"[A-Za-z]{2,}", written)
    for letter in letters:
        yield letter * LONG
        yield letter * LONG + "!\0"
    for one in (" ", "\t", ",", ".", "\\", "\n", "a", "0", "[", "("):
        for other in letters[:: max(len(letters) // 16, 1)]:
            yield (one + other) * (LONG // 2) + "\0"
    for word in words[:8]:
        yield (word + " ") * (LONG // (len(word) + 1)) + "\0"
        yield word + " " * LONG + "\0"
        yield (word + "(") * (LONG // (len(word) + 1))


def run(pattern: Pattern, way: str, subject: str | bytes) -> None:
    given = (b"" if isinstance(subject, bytes) else "", subject) if way == "sub" else (subject,)
    found = getattr(pattern, way)(*given)
    if way == "finditer":
        list(found)


def seconds(pattern: Pattern, way: str, subject: str | bytes) -> float:
    """CPU seconds of one use, which a collection of all garbage may fall into: what runs away does so every time."""
    started = time.process_time()
    run(pattern, way, subject)
    return time.process_time() - started


def test_all_of_them_are_seen() -> None:
    found = {name for each in modules() for name in patterns(*each)}
    assert len(found) > 60
    assert {"source.notebook._ASSIGNED", "app.engine.suppression._NOQA_CODES", "source.triage._IMPORTED"} <= found


@pytest.mark.heavy
@pytest.mark.parametrize(("name", "path"), [pytest.param(*each, id=each[0]) for each in modules()])
def test_no_pattern_runs_away(name: str, path: Path) -> None:
    for which, (pattern, ways) in patterns(name, path).items():
        for attack in attacks(pattern):
            subject = attack if isinstance(pattern.pattern, str) else attack.encode("utf-8")
            for way in ways:
                assert any(seconds(pattern, way, subject) < SECONDS for _ in range(3)), (which, attack[:20], way)


@pytest.mark.parametrize(
    "text", ["torch" + " " * LONG, "torch" + "==1" * 10_000, "torch[" + "a," * 15_000, "torch=='" * 4_000, "torch (" * 4_000]
)
def test_requirements_cannot_keep_us(text: str) -> None:
    started = time.process_time()
    list(specifiers("torch", text))
    assert time.process_time() - started < SECONDS


GLOBS = (
    *("**/" * 60 + "x", "*a" * 60 + "b", "{a,b}" * 60, "{" * 300, "[" * 300, "[!" * 300, "[]" * 100, "?" * 5_000, "**" * 300),
    *("\\" * 301, "{a,{b,{c,{d,{e,f}}}}}" * 20, "/" * 1_000, "[a-" * 200 + "]", "*/" * 200, "[[:alpha:]]" * 50, "{,}" * 80),
)


@pytest.mark.parametrize("glob", GLOBS, ids=range(len(GLOBS)))
def test_no_glob_runs_away(glob: str) -> None:
    started = time.process_time()
    excluder = Excluder([glob], "/root")
    pattern = read_pattern(glob)
    for path in ("a/" * 120 + "c.py", "a" * 250, "/".join(["aab"] * 80)):
        excluder.excludes(path.rpartition("/")[2], f"/root/{path}")
        if pattern is not None:
            pattern.matches(path.split("/"), is_folder=False)
    assert time.process_time() - started < 2 * SECONDS


@pytest.mark.parametrize("glob", GLOBS, ids=range(len(GLOBS)))
def test_no_glob_of_per_file_ignores_runs_away(glob: str, tmp_path: Path) -> None:
    from trainlint.config import ConfigError, Overrides, find_settings

    started = time.process_time()
    try:
        settings = find_settings(tmp_path, Overrides(flags={"per-file-ignores": {glob: ["TL1"]}}), isolated=True)
        settings.ignored_in(tmp_path / ("a/" * 120 + "c.py"))
        settings.ignored_in(tmp_path / ("a" * 250))
    except ConfigError:
        pass
    assert time.process_time() - started < 2 * SECONDS
