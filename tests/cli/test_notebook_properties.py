"""Whatever a notebook holds and however it is written: what need not be changed is not changed, byte for byte."""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cli.driven import check
from tests.cli.test_notebooks import FIXED, LOOP, SETUP

_CLEAN = (
    "import torch",
    "x = 1  # é 日本 \U0001f600",
    "%matplotlib inline",
    "!pip install torch\nfiles = !ls",
    "%%bash\nfor f in *; do\n  echo $f",
    "await start()",
    "s = '''\n losses.append(loss)\n'''",
    "def f(loss, losses):\n    losses.append(loss)",
    "",
    "\n\n",
    "    indented = True",
    "model?",
    "y = 2  # trainlint: uniform",
    "broken = (",
    "# noqa",
)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
_SOURCE = "\ue000source {}\ue000"  # stands for a source until the rest of the JSON is written


class Drawn(NamedTuple):
    """A notebook as pieces of text: at odd places the JSON of a cell's source, which says what ``sources`` have."""

    pieces: list[str]
    sources: list[str]

    @property
    def data(self) -> bytes:
        return "".join(self.pieces).encode("utf-8")


@st.composite
def notebooks(draw: st.DrawFn, cells: st.SearchStrategy[list[str]]) -> Drawn:
    """A notebook with these cells in any form of JSON."""
    sources = [source.replace("\n", draw(st.sampled_from(["\n", "\n", "\r\n"]))) for source in draw(cells)]
    escaped, indent = draw(st.booleans()), draw(st.sampled_from([None, 0, 1, 4, "\t"]))
    form: dict[str, Any] = {"ensure_ascii": escaped, "indent": indent, "sort_keys": draw(st.booleans())}
    made = []
    for number, _ in enumerate(sources):
        cell = {"cell_type": "code", "metadata": draw(st.dictionaries(st.text(max_size=5), _JSON, max_size=2))}
        cell |= {"outputs": draw(st.lists(_JSON, max_size=2)), "source": _SOURCE.format(number), "id": str(number)}
        keys = draw(st.permutations(sorted(cell)))
        made.append({key: cell[key] for key in keys})
    text = json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, **form)
    marks = re.compile('"' + json.dumps(_SOURCE, ensure_ascii=escaped)[1:-1].replace("\\", "\\\\").format(r"(\d+)") + '"')
    end = draw(st.sampled_from(["", "\n", "\r\n"]))
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    pieces = [piece.replace("\n", newline) for piece in marks.split(text + end)]
    for place in range(1, len(pieces), 2):
        source = sources[int(pieces[place])]
        parts: Any = source.splitlines(keepends=True) if draw(st.booleans()) else source
        pieces[place] = json.dumps(parts, **form).replace("\n", newline)
    order = [int(number) for number in marks.findall(text)]
    return Drawn(pieces, [sources[number] for number in order])


def run(drawn: list[Drawn], *words: str) -> list[tuple[bytes, bool]]:
    """What the notebooks hold after a run, and whether their files were written."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = [folder / f"{number}.ipynb" for number in range(len(drawn))]
        for path, one in zip(paths, drawn, strict=True):
            path.write_bytes(one.data)
        before = [path.stat() for path in paths]
        check(folder, *words)
        after = [path.stat() for path in paths]
        assert sorted(folder.iterdir()) == sorted(paths)
        written = [(old.st_mtime_ns, old.st_ino) != (new.st_mtime_ns, new.st_ino) for old, new in zip(before, after, strict=True)]
        return list(zip([path.read_bytes() for path in paths], written, strict=True))


def never_rewritten(drawn: list[Drawn]) -> None:
    for words in (("--fix", "--unsafe-fixes", "--preview"), ("--add-ignore", "--ignore", "TL001")):
        for one, (after, written) in zip(drawn, run(drawn, *words), strict=True):
            assert not written
            assert after == one.data


def only_the_source(drawn: list[Drawn]) -> None:
    """The pieces around the sources are all there; the sources say what they should."""
    for one, (after, written) in zip(drawn, run(drawn, "--fix"), strict=True):
        assert written
        rest = after.decode("utf-8")
        for number, source in enumerate(one.sources):
            before, old = one.pieces[2 * number : 2 * number + 2]
            assert rest.startswith(before)
            rest = rest[len(before) :]
            value, end = json.JSONDecoder().raw_decode(rest)
            assert type(value) is type(json.loads(old))
            said = value if isinstance(value, str) else "".join(value)
            assert isinstance(value, str) or value == said.splitlines(keepends=True)
            is_loop = source.replace("\r\n", "\n") == LOOP
            assert said == (FIXED.replace("\n", "\r\n" if "\r\n" in source else "\n") if is_loop else source)
            assert is_loop or rest[:end] == old
            rest = rest[end:]
        assert rest == one.pieces[-1]


CLEAN = st.lists(notebooks(st.lists(st.sampled_from(_CLEAN), max_size=5)), min_size=8, max_size=12)
BETWEEN = st.lists(st.sampled_from([cell for cell in _CLEAN if cell != "broken = ("]), max_size=2)
BAD = st.lists(
    notebooks(st.tuples(BETWEEN, BETWEEN, BETWEEN).map(lambda around: [*around[0], SETUP, *around[1], LOOP, *around[2]])),
    min_size=8,
    max_size=12,
)
QUIET = {"deadline": None, "database": None, "suppress_health_check": list(HealthCheck)}


@settings(max_examples=2, **QUIET)
@given(CLEAN)
def test_a_notebook_without_findings_is_never_rewritten(drawn: list[Drawn]) -> None:
    never_rewritten(drawn)


@pytest.mark.heavy
@settings(max_examples=25, **QUIET)
@given(CLEAN)
def test_many_notebooks_without_findings(drawn: list[Drawn]) -> None:
    never_rewritten(drawn)


@pytest.mark.heavy
@settings(max_examples=25, **QUIET)
@given(BAD)
def test_a_repair_changes_the_source_of_its_cell_and_nothing_else(drawn: list[Drawn]) -> None:
    only_the_source(drawn)
