"""How a command stands in a text for people: behind prompts, over several lines, with what the reader has to fill in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

#: What stands before a command where one is shown: a prompt, a sign of a comment, of a quotation, of a list or of code.
_BEFORE = re.compile(r"(?:[\s#>*$`%!]|-(?=\s)){0,40}")
#: A prompt that names an environment, or who works where; a cell that runs a script.
_PROMPT = re.compile(r"\s{0,20}(?:\([\w.-]{1,40}\)\s{1,4})?(?:[\w.-]{1,40}@[\w.-]{1,40}[:\s]?[~/\w.-]{0,80}\s?)?[$#]\s{1,4}")
_CELL = re.compile(r"\s{0,20}(?:%run(?:\s+-[a-z])?|!\s?\{sys\.executable\}|!\s?\$\{?sys\.executable\}?)(?=\s)")
#: A script that is started itself, with variables before it and options behind it: ``./recipe/train.py --world-size 4``.
_BARE = re.compile(
    r"\A((?:[A-Za-z_]\w{0,60}=\S{0,200}\s{1,4}){0,8})(?=[\w.~-]{0,60}/[\w./-]{1,200}\.py\s{1,40}(?:--?[A-Za-z]|\\$))"
)
#: HTML around a command, and the ends of what Markdown shows as code.
_AROUND = re.compile(
    r"</?(?:pre|code|b|i|br|p|span|div|details|summary|kbd|tt|li|td|a|strong|em|samp)(?:\s[^<>]{0,100})?/?>|`{1,8}\s{0,40}$"
)
#: What the reader has to fill in, where no quotes are around it: ``--data <path to the data>``.
_FILLED_IN = re.compile(r"(?<![\"'<\w])<(?=[^\s<>=&])[^<>|&;]{1,100}(?<!\s)>|(?<==)<(?=[^\s<>=&])[^<>|&;]{1,100}(?<!\s)>")
_QUOTED = re.compile(r"\"[^\"]{0,200}\"|'[^']{0,200}'")
_OPTION = re.compile(r"--[A-Za-z]")
_USAGE = re.compile(r"\s{0,20}usage\b", re.IGNORECASE)
#: An option has so many values at most; what has more is a sentence about it.
_MOST_VALUES = 3
_FENCES = ("```", "~~~", "<pre", "</pre")
_SETS = re.compile(
    r"[\s$!%>]{0,20}((?:export\s+|env\s+)?[A-Za-z_]\w{0,60}=(?:\"[^\"]{0,200}\"|'[^']{0,200}'|[^\s\"'`]{0,200}))\s{0,40}"
)
#: Characters of a line that are looked at; lines above a command in which its variables are set.
_LONGEST, _ABOVE = 4000, 40


def command_in(line: str) -> str:
    """What a line of a text has of a command, without what only shows that it is one."""
    line = line[:_LONGEST]
    cell = _CELL.match(line)
    if cell is not None:
        line = f"python{line[cell.end() :]}"
    prompt = _PROMPT.match(line)
    line = line[prompt.end() :] if prompt is not None else line
    line = _BARE.sub(r"\1python ", _AROUND.sub("", _BEFORE.sub("", line, count=1)), count=1)
    return _FILLED_IN.sub("${PLACEHOLDER}", line.rstrip(" \t\r").removesuffix(" ^").removesuffix(" `").rstrip(" \t\\"))


def goes_on(line: str, after: str) -> bool:
    """Whether a command goes on in the line after it: a sign at its end says so, or only options stand there."""
    ends = line[-_LONGEST:].rstrip()
    if ends.endswith(("\\", " ^", " `")):
        return True
    return bool(ends) and _USAGE.match(line) is None and _holds_options(after)


def _holds_options(line: str) -> bool:
    """Whether a line consists of options and their values: ``--lr 0.1 --amp``, and no sentence on what ``--lr`` means."""
    text = line[:_LONGEST].strip().lstrip(">").strip()
    if _OPTION.match(text) is None:
        return False
    values = 0
    for word in _QUOTED.sub("''", _FILLED_IN.sub("x", text)).split():
        values = 0 if word.startswith("-") and len(word) > 1 and not word[1].isdigit() else values + 1
        if values > _MOST_VALUES or word.rstrip(",:;") != word or word in ("|", "-", "=>"):
            return False
    return True


def set_above(lines: list[str], first: int) -> Iterator[tuple[int, str]]:
    """The lines above a command, in the same piece of code, in which variables of the shell are set."""
    for number in range(first - 1, max(-1, first - _ABOVE), -1):
        if lines[number].lstrip("> \t").startswith(_FENCES):
            return
        found = _SETS.fullmatch(lines[number][:_LONGEST])
        if found is not None:
            yield number, found.group(1)


def of_notebook(text: str) -> str:
    """The cells of a notebook, each line where it stands in the file."""
    rows = []
    for row in text.split("\n"):
        written = row.strip().removesuffix(",")
        try:
            said = json.loads(written) if written.startswith('"') and len(written) <= _LONGEST else ""
        except ValueError:
            said = ""
        rows.append(said.rstrip("\n").replace("\n", " ") if isinstance(said, str) else "")
    return "\n".join(rows)
