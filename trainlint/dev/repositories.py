"""What the ledger must know of a repository on disk: which commit it is and which function a line belongs to."""

from __future__ import annotations

import ast
import functools
import subprocess
import warnings
from pathlib import Path


def commit_of(folder: Path) -> str | None:
    """The commit checked out in ``folder`` itself (not in a repository around it), or None."""
    if not (folder / ".git").exists():
        return None
    try:
        answer = subprocess.run(["git", "-C", str(folder), "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return answer.stdout.strip()


def enclosing_function(path: Path, line: int) -> str:
    """Dotted name of the innermost function or class around the 1-based line; ``""`` at module level or in broken files."""
    around = [(start, name) for name, start, end in _definitions(path) if start <= line <= end]
    return max(around, default=(0, ""))[1]


@functools.lru_cache(maxsize=64)
def _definitions(path: Path) -> tuple[tuple[str, int, int], ...]:
    """All functions and classes of a file: dotted name, first and last line."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # other people's invalid escapes
            tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    found: list[tuple[str, int, int]] = []
    waiting: list[tuple[ast.AST, str]] = [(tree, "")]
    while waiting:
        node, prefix = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            prefix = f"{prefix}.{node.name}" if prefix else node.name
            found.append((prefix, node.lineno, node.end_lineno or node.lineno))
        waiting += [(child, prefix) for child in ast.iter_child_nodes(node)]
    return tuple(found)
