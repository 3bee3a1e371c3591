"""Files as people write them, changed at random: bytes, tokens, lines, blocks, and pieces of two of them together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from random import Random

from tests.fuzz.vocabulary import NAMES, vocabulary

ROOT = Path(__file__).resolve().parents[2]
_FENCED = re.compile(r"^```python[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
_TOKEN = re.compile(r"\w+|[^\w\s]|\n[ \t]*|[ \t]+")
_WORD = re.compile(r"[A-Za-z_]\w*")
_BYTES = (
    b"\0",
    b"\xff",
    b"\r",
    b"\n",
    b"\t",
    b"'",
    b'"',
    b'"""',
    b"\\",
    b"(",
    b")",
    b"[",
    b"{",
    b"#",
    b":",
    b"\xef\xbb\xbf",
    b"\f",
    b" ",
    b"@",
)
_HOSTILE = (
    r"'\n::error::pwned'",
    "'##vso[task.setvariable variable=x]y'",
    "'##[add-path]/'",
    r"'\x1b[2J'",
    "'\x1b]8;;http://x\x07'",
    "'\u202e'",
    r"'a\r\nb'",
    "'%0A::error::'",
    "']]>'",
    "'</script>'",
    r"'\0'",
)
_TOKENS = (
    "if",
    "else",
    "for",
    "in",
    "while",
    "with",
    "as",
    "def",
    "class",
    "return",
    "yield",
    "await",
    "async",
    "lambda",
    "not",
    "and",
    "or",
    "is",
    "None",
    "True",
    "self",
    "0",
    "1",
    "-1",
    "''",
    "*",
    "**",
    "=",
    "==",
    ":=",
    ",",
    ".",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ":",
    ";",
    "@",
    "import",
    "from",
    "del",
    "global",
    "nonlocal",
    "try",
    "except",
    "finally",
    "raise",
    "match",
    "case",
    "type",
    "...",
    "\\\n",
    "f'{x}'",
    "# noqa",
    "# trainlint: ignore",
    "# trainlint: ignore-file",
    "# trainlint: uniform",
)


@cache
def examples() -> tuple[str, ...]:
    """The texts to begin with: sample repositories, expectation files, and the code of the rules' pages."""
    files = sorted(path for folder in ("sample_repos", "tests/expect") for path in (ROOT / folder).rglob("*.py"))
    texts = [path.read_text(encoding="utf-8") for path in files]
    for page in sorted((ROOT / "rules").rglob("TL*.md")):
        texts += _FENCED.findall(page.read_text(encoding="utf-8"))
    return tuple(text for text in texts if text.strip())


def mutated(chance: Random, texts: Iterable[str] | None = None) -> bytes:
    """One of the examples, changed in one to eight places."""
    known = tuple(texts) if texts is not None else examples()
    text = known[chance.randrange(len(known))]
    if len(text) > 6_000 and chance.randrange(4):  # most of the time a piece will do
        lines = text.split("\n")
        start = chance.randrange(len(lines))
        text = "\n".join(lines[:12] + lines[start : start + 100])
    if not chance.randrange(4):
        other = known[chance.randrange(len(known))].split("\n")
        text = spliced(chance, text.split("\n"), other[:150])
    for _ in range(chance.randrange(1, 9)):
        text = _CHANGES[chance.randrange(len(_CHANGES))](chance, text)
    data = text.encode("utf-8", "surrogatepass")
    return _bytes(chance, data) if not chance.randrange(6) else data


def spliced(chance: Random, one: list[str], other: list[str]) -> str:
    """Lines of one text with lines of another among them, at the depth of where they come to stand, or at their own."""
    at = chance.randrange(len(one) + 1)
    start = chance.randrange(len(other))
    piece = other[start : start + chance.randrange(1, 40)]
    if chance.randrange(2):
        here = one[at - 1] if at else ""
        depth = len(here) - len(here.lstrip(" "))
        least = min((len(line) - len(line.lstrip(" ")) for line in piece if line.strip()), default=0)
        piece = [" " * depth + line[least:] for line in piece]
    return "\n".join(one[:at] + piece + one[at:])


def _tokens(chance: Random, text: str) -> str:
    tokens = _TOKEN.findall(text)
    if not tokens:
        return text
    at = chance.randrange(len(tokens))
    kind = chance.randrange(4)
    if kind == 0:
        del tokens[at]
    elif kind == 1:
        tokens.insert(at, f" {_TOKENS[chance.randrange(len(_TOKENS))]} ")
    elif kind == 2:
        tokens[at] = _TOKENS[chance.randrange(len(_TOKENS))]
    else:
        with_ = chance.randrange(len(tokens))
        tokens[at], tokens[with_] = tokens[with_], tokens[at]
    return "".join(tokens)


def _names(chance: Random, text: str) -> str:
    """A name becomes another one: here, or everywhere."""
    names = list(_WORD.finditer(text))
    if not names:
        return text
    found = names[chance.randrange(len(names))]
    words = vocabulary()
    sources = (words.dotted, words.words, NAMES, [name[0] for name in names])
    source = sources[chance.randrange(len(sources))]
    new = source[chance.randrange(len(source))]
    if chance.randrange(3):
        return text[: found.start()] + new + text[found.end() :]
    return re.sub(rf"\b{found[0]}\b", new.replace("\\", ""), text)


def _lines(chance: Random, text: str) -> str:
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    kind = chance.randrange(6)
    if kind == 0:
        del lines[at : at + chance.randrange(1, 6)]
    elif kind == 1:
        lines[at:at] = lines[at : at + chance.randrange(1, 6)] * chance.randrange(1, 4)
    elif kind == 2:
        other = chance.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    elif kind == 3:
        end = at + chance.randrange(1, 12)
        lines[at:end] = ["    " + line for line in lines[at:end]]
    elif kind == 4:
        end = at + chance.randrange(1, 12)
        lines[at:end] = [line.removeprefix("    ") for line in lines[at:end]]
    else:
        depth = len(lines[at]) - len(lines[at].lstrip(" "))
        heads = (
            "if rank == 0:",
            "for _ in loader:",
            "with torch.no_grad():",
            "try:",
            "def inner(x=1):",
            "class Inner:",
            "while True:",
        )
        end = at + chance.randrange(1, 8)
        lines[at:end] = [" " * depth + heads[chance.randrange(len(heads))], *("    " + line for line in lines[at:end])]
    return "\n".join(lines)


def _numbers(chance: Random, text: str) -> str:
    found = list(re.finditer(r"\b\d+\b|'[^'\n]*'|\"[^\"\n]*\"", text))
    if not found:
        return text
    one = found[chance.randrange(len(found))]
    new = (
        *_HOSTILE,
        "0",
        "-1",
        "10**400",
        "1e309",
        "None",
        "''",
        "'\\0'",
        "[]",
        "x" * 50,
        "9" * 30,
        "nan",
        "True",
        "'{}{'",
        "b''",
        "lambda: 0",
    )
    return text[: one.start()] + new[chance.randrange(len(new))] + text[one.end() :]


def _bytes(chance: Random, data: bytes) -> bytes:
    for _ in range(chance.randrange(1, 4)):
        at = chance.randrange(len(data) + 1)
        kind = chance.randrange(3)
        if kind == 0:
            data = data[:at] + _BYTES[chance.randrange(len(_BYTES))] + data[at:]
        elif kind == 1:
            data = data[:at] + data[at + chance.randrange(1, 20) :]
        else:
            data = data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]
    return data


_CHANGES: tuple[Callable[[Random, str], str], ...] = (_tokens, _tokens, _names, _names, _names, _lines, _lines, _lines, _numbers)
