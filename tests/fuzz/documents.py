"""What else trainlint reads: notebooks, configurations, comments, baselines, cache entries; any bytes may be any of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz.bench import holds
from trainlint.app.cli.output import Failure
from trainlint.app.engine.baseline import BaselineError, _entries
from trainlint.app.engine.cached_analyses import from_data
from trainlint.app.engine.project import options_of
from trainlint.app.engine.suppression import Suppressions
from trainlint.config import ConfigError, Overrides
from trainlint.config.find import Found
from trainlint.config.merge import merge, parse
from trainlint.config.options import show
from trainlint.globs import read_pattern
from trainlint.knowledge import KnowledgeError, load_knowledge
from trainlint.knowledge.checking import mistakes
from trainlint.source.discover import Excluder
from trainlint.source.text import Source, UnreadableSource

#: What these may raise: it is caught, and said in a sentence.
EXPECTED = (ConfigError, KnowledgeError, BaselineError, UnreadableSource, Failure)


def script(data: bytes) -> None:
    """A Python file."""
    holds(data)


def notebook(data: bytes) -> None:
    """The bytes of a notebook."""
    holds(data, "a.ipynb")


def cells(data: bytes) -> None:
    """A notebook whose cells hold the parts of a text, some of them as lists of lines."""
    parts = data.decode("utf-8", "replace").split("\n\n")
    made = [
        {"cell_type": "code" if number % 4 != 3 else "markdown", "metadata": {}, "outputs": [], "execution_count": None}
        | {"source": part if number % 2 else part.splitlines(keepends=True)}
        for number, part in enumerate(parts)
    ]
    holds(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": made}).encode(), "a.ipynb")


def configuration(data: bytes) -> None:
    """A ``trainlint.toml``."""
    table = parse(data.decode("utf-8", "replace")[: 256 * 1024], "a.toml")
    path = Path("/root/trainlint.toml")
    settings = merge(path.parent, Found(path, table), Overrides(), mistakes)
    show(settings)
    Excluder(options_of(settings).exclude, "/root").excludes("a.py", "/root/a.py")
    settings.ignored_in(Path("/root/tests/a.py"))
    load_knowledge(settings.knowledge)


def comments(data: bytes) -> None:
    """A file as far as comments go."""
    read = Suppressions.parse(Source.from_bytes(Path("a.py"), data))
    read.unused(lambda _: True)
    read.unknown()


def baseline(data: bytes) -> None:
    """A baseline."""
    _entries(_json(data), Path("baseline.json"))


def entry(data: bytes) -> None:
    """A cache entry behind its signature."""
    try:
        from_data(_json(data))
    except (ArithmeticError, AttributeError, KeyError, TypeError, ValueError):  # as the cache expects of what is another form
        return


def globs(data: bytes) -> None:
    """A glob of the configuration, and a line of a ``.gitignore``."""
    text = data.decode("utf-8", "replace")[:300]
    Excluder([text], "/root").excludes("a" * 40, "/root/" + "a/" * 30 + "b")
    pattern = read_pattern(text)
    if pattern is not None:
        pattern.matches(["a" * 40] * 20, is_folder=False)


def _json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


Kind = Callable[[bytes], None]

KINDS: tuple[Kind, ...] = (
    script,
    notebook,
    cells,
    configuration,
    comments,
    baseline,
    entry,
    globs,
)


def put(kind: Callable[[bytes], None], data: bytes) -> None:
    """Let trainlint read the bytes as what they are said to be; raises what nobody expects."""
    try:
        kind(data)
    except EXPECTED:
        return


def table(chance: Random) -> bytes:
    """A configuration: keys that there are and some that are not, values of the right sort and of wrong ones."""
    from trainlint.config.options import OPTIONS

    lines = []
    for _ in range(chance.randrange(1, 8)):
        key = chance.choice([*OPTIONS, "extend", "cache-dir", "é", "a.b.c", '"\\n::error::"'])
        lines.append(f"{key} = {_value(chance, 0)}")
    return "\n".join(lines).encode("utf-8", "surrogatepass")


_VALUES = (
    "true",
    "0",
    "-1",
    "99999999999999999999",
    "1.5",
    "nan",
    '""',
    '"TL101"',
    '"ALL"',
    '"../../x"',
    '"/etc/passwd"',
    '"**/**/**/*"',
    '"["',
    '"[!"',
    '"{a,{b,c}}"',
    '"\\u0000"',
    '"\\n::error::x"',
    '"\\u001b[2J"',
    '"\\u202e"',
    "1979-05-27",
    '">=2.4"',
    '"~=1"',
    '"error"',
    '"off"',
    '"(a+)+$"',
    '"' + "*a" * 30 + '"',
    '"' + "{a,b}" * 12 + '"',
    '"json"',
)


def _value(chance: Random, depth: int) -> str:
    kind = chance.randrange(6) if depth < 3 else 0
    if kind < 3:
        return chance.choice(_VALUES)
    inside = [_value(chance, depth + 1) for _ in range(chance.randrange(4))]
    if kind < 5:
        return "[" + ", ".join(inside) + "]"
    keys = ('"TL1"', '"**"', "collectives", "torch", '"mylib.sync"', '"!a"', "ranks", "a")
    return (
        "{"
        + ", ".join(f"{key} = {one}" for key, one in zip(dict.fromkeys(chance.sample(keys, len(inside))), inside, strict=True))
        + "}"
    )
