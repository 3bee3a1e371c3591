"""Expectation cases side by side in one project, and each twice in one file: what is said of one does not depend on others."""

from __future__ import annotations

import ast
import io
import re
import tempfile
import tokenize
from functools import cache
from pathlib import Path

from tests import said
from tests.expectations import case_id, placed, projects
from trainlint import check_paths

ONCE = {
    "TL101/evaluation_mode",
    "TL101/sources_other_frameworks",
    "TL101/sources_parsed_arguments",
    "TL102/exit_other_libraries",
    "TL102/exit_process",
    "TL102/script",
    "TL102/silent_last_round",
    "TL103/silent_numbers_of_rounds",
    "TL114/kept_in_an_attribute",
    "TL114/not_in_front",
    "TL114/with_another_test",
    "TL115/order",
    "TL307/carried_states",
    "TL307/other_cells",
    "TL547/forms",
    "TL803/script",
    "TL904/uses",
    "TL905/asked_about",
    "TL905/members",
    "TL905/passed_on",
    "TL911/added",
    "TL911/annotated",
    "TL901/scripts",
    "TL902/left_out",
    "TL935/scripts",
}
"""Cases of which the second copy is no second program: what the top level does first, or a variable of the file, counts once."""

UNFOLLOWED = {
    "TL420/by_a_hook",
    "TL303/teacher_that_is_frozen",
    "TL307/begun_before_the_loop",
    "TL307/handed_back",
    "TL607/silent_copied_before",
    "TL401/property_of_an_enumeration",
}
"""Cases in which a second copy takes away, or adds, what is right of the first: faults of the analysis, not of the cases.

Two classes have a method of one name, which is followed by its name; two programs write a file of one name, and one copies it.
What a helper hands back, or an attribute keeps, is lost where there are two of these.
"""


@cache
def files() -> dict[str, Path]:
    """The expectation cases that are single files, by name."""
    return {case_id(each): each for each in projects() if each.is_file()}


@cache
def folders() -> tuple[str, ...]:
    """The rules that have such cases."""
    return tuple(dict.fromkeys(name.partition("/")[0] for name in files()))


def side_by_side(code: str) -> list[str]:
    """The cases of a rule of which something else is said when they are analysed in one project."""
    mine = [each for name, each in files().items() if name.startswith(code)]
    with tempfile.TemporaryDirectory(prefix="trainlint-together-") as folder:
        root = Path(folder).resolve()
        for each in mine:
            (root / each.name).write_bytes(each.read_bytes())
        found = check_paths([root], select=["ALL"])
        kept = said.kept(said.CASES / f"{code}.txt")
        return [
            each.stem
            for each in mine
            if said.said_of(root, [one for one in found if one.path == root / each.name]) != kept[each.stem]
        ]


def twice(text: str) -> str:
    """A file, and behind it all of it once more, in which the functions, classes and variables of the file have other names."""
    tree = ast.parse(text)
    own = {each.name for each in tree.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}
    own |= {
        node.id
        for each in tree.body
        for node in _at_the_top(each)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    methods = {
        (each.lineno, each.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for each in node.body
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    lines = text.splitlines(keepends=True)
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    depth, again = 0, []
    for before, token, behind in zip([tokens[0], *tokens], tokens, tokens[1:], strict=False):
        depth += token.string in ("(", "[", "{") if token.type == tokenize.OP else 0
        depth -= token.string in (")", "]", "}") if token.type == tokenize.OP else 0
        keyword = depth > 0 and behind.string == "="
        method = before.string == "def" and (token.start[0], token.string) in methods
        if token.type == tokenize.NAME and token.string in own and before.string != "." and not keyword and not method:
            again.append((token.start, token.end))
    for (row, start), (_, end) in reversed(again):
        line = lines[row - 1]
        lines[row - 1] = f"{line[:start]}{line[start:end]}_again{line[end:]}"
    return text + "".join(line for line in lines if not line.startswith("from __future__"))


def _at_the_top(statement: ast.stmt) -> list[ast.AST]:
    defines = isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    return [] if defines else list(ast.walk(statement))


def said_twice(case: str) -> bool:
    """Whether the rule reports in both copies of a case what it reports in the case alone, on the same lines of each."""
    path = files()[case]
    text = path.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory(prefix="trainlint-twice-") as folder:
        file = Path(folder).resolve() / path.name
        file.write_text(twice(text), encoding="utf-8", newline="\n")
        found = placed([file], select=[path.parent.name])
    kept = said.kept(said.CASES / f"{path.parent.name}.txt")[path.stem]
    alone = {
        int(line) for line, code in re.findall(r"^\S+?:(\d+):\d+-\S+ (TL\d{3}) ", kept, re.MULTILINE) if code == path.parent.name
    }
    behind = text.count("\n")
    return {each.span.line for each in found} == alone | {line + behind for line in alone}
